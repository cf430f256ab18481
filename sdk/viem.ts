export { toServiceAccount, type ServiceAccountOptions, type Signed } from './adapters/toServiceAccount.js'
