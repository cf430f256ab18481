// mintQuote(quote: QuoteToMint, keys: TdxQuoteKeys): Uint8Array
// mintSnpReport(report: SnpReportToMint, keys: SnpReportKeys): Uint8Array
// simulatedMeasurements: { mrTd, rtmr0, …, snpMeasurement }: the defaults, for policies of a simulated stack
// parseTdxQuoteKeys(value: unknown), parseSnpReportKeys(value: unknown)
export type { QuoteToMint, SnpReportKeys, SnpReportToMint, TdxQuoteKeys } from './types.js'
