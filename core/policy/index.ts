export { checkQuotePolicy } from './checkQuotePolicy.js'
export {
  checkMessagePolicy,
  checkSigningPolicy,
  policyHash,
  signingPolicySchema,
  type SigningPolicy,
} from './SigningPolicy.js'
export { checkSnpPolicy } from './checkSnpPolicy.js'
export type { QuotePolicy, SnpPolicy } from './policySchemas.js'
