export { parseQuoteCollateral } from './collateral.js'
export { tcbStatuses } from './types.js'
export type { CollateralBytes, ParsedQuote, QuoteCollateral, QuoteVerdict, TcbStatus, TdReport } from './types.js'
export { parseQuote, verifyQuote } from './verifyQuote.js'
