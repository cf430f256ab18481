export { UserEntity, type User } from './User.js'
export { recordSignIn, type Identity } from './users.js'
