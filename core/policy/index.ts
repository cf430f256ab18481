// checkQuotePolicy(verdict: QuoteVerdict, policy: QuotePolicy, now: UnixSeconds): void, throws tcb_not_allowed, measurement_unknown, platform_not_allowed
// checkSnpPolicy(verdict: SnpVerdict, policy: SnpPolicy): void, throws the same codes
export type { QuotePolicy, SnpPolicy, TdxMeasurements } from './types.js'
