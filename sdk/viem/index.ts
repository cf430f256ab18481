export { toServiceAccount, type ServiceAccountOptions, type Signed } from './toServiceAccount.js'
