// verifyQuote(quote: Uint8Array, collateral: QuoteCollateral, root: Uint8Array /* DER */, now: UnixSeconds): Promise<QuoteVerdict>
// parseQuote(quote: Uint8Array): ParsedQuote
// parseQuoteCollateral(value: unknown): QuoteCollateral (byte fields as plain hex); throws parse_failed
export { tcbStatuses } from './types.js'
export type { CollateralBytes, ParsedQuote, QuoteCollateral, QuoteVerdict, TcbStatus, TdReport } from './types.js'
