export { UserEntity, type User } from './User.js'
export { recordSignIn, userExists, type Identity } from './users.js'
