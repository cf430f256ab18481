export { checkQuotePolicy } from './checkQuotePolicy.js'
export { checkSnpPolicy } from './checkSnpPolicy.js'
export type { QuotePolicy, SnpPolicy } from './types.js'
