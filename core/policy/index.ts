export { checkQuotePolicy } from './checkQuotePolicy.js'
export { checkSnpPolicy } from './checkSnpPolicy.js'
export type { QuotePolicy, SnpPolicy, TdxMeasurements } from './types.js'
