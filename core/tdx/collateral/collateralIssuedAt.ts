import type { UnixSeconds } from '../../bytes/index.js'
import { parseCrl } from '../../x509/index.js'
import { parseQeIdentity } from './parseQeIdentity.js'
import { readCollateral } from './parseQuoteCollateral.js'
import { parseTcbInfo } from './parseTcbInfo.js'
import type { QuoteCollateral } from '../types.js'

/** When the oldest of TCB info, QE identity and PCK CRL was issued, as they say. Verifies nothing: for sets that were verified before. */
export function collateralIssuedAt(collateral: QuoteCollateral): UnixSeconds {
  const parts = readCollateral(collateral)
  return Math.min(
    parseTcbInfo(parts.tcb_info).issueDate,
    parseQeIdentity(parts.qe_identity).issueDate,
    parseCrl(parts.pck_crl).thisUpdate,
  )
}
