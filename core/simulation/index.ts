export { createQuotingEnclave, mintQuote } from './mintQuote.js'
export { mintSnpReport } from './mintSnpReport.js'
export { parseSnpReportKeys, parseTdxQuoteKeys } from './parseKeys.js'
export {
  bootLog,
  simulatedApp,
  simulatedBootLog,
  simulatedDigest,
  simulatedMeasurements,
  simulatedPlatform,
} from './platform.js'
export type { QuoteToMint, SnpReportKeys, SnpReportToMint, TdxQuoteKeys } from './types.js'
