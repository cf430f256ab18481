import { toHex, type Hex, type UnixSeconds } from '../../bytes/index.js'
import { parseCrl } from '../../x509/index.js'
import { authenticateCollateral, trustedRoot, type AuthenticCollateral } from './authenticateCollateral.js'
import { checkCollateralTime, collateralEnd } from './checkCollateralTime.js'
import { parseQeIdentity } from './parseQeIdentity.js'
import { readCollateral, type QuoteCollateral } from './parseQuoteCollateral.js'
import { parseTcbInfo } from './parseTcbInfo.js'

export interface CollateralVerdict {
  fmspc: Hex
  /** The lower of the TCB info's and the QE identity's number. Grows with every recovery; a lower one is a rollback. */
  tcbEvaluationDataNumber: number
  /** When the oldest of TCB info, QE identity and PCK CRL was issued. */
  issuedAt: UnixSeconds
  /** From this second on it is refused. */
  expiresAt: UnixSeconds
}

/** Verifies collateral on its own, before any quote. `now` is null for a set that is stored and not used. */
export async function verifyCollateral(
  collateral: QuoteCollateral,
  root: Uint8Array,
  now: UnixSeconds | null,
): Promise<CollateralVerdict> {
  const authentic = await authenticateCollateral(collateral, await trustedRoot(root))
  if (now !== null) checkCollateralTime(authentic, now)
  return describeCollateral(authentic)
}

export function describeCollateral(authentic: AuthenticCollateral): CollateralVerdict {
  const { tcbInfo, qeIdentity } = authentic
  return {
    fmspc: toHex(tcbInfo.fmspc),
    tcbEvaluationDataNumber: Math.min(tcbInfo.tcbEvaluationDataNumber, qeIdentity.tcbEvaluationDataNumber),
    issuedAt: oldest(authentic),
    expiresAt: collateralEnd(authentic) + 1,
  }
}

/** When the oldest of TCB info, QE identity and PCK CRL was issued, as they say. Verifies nothing: for sets that were verified before. */
export function collateralIssuedAt(collateral: QuoteCollateral): UnixSeconds {
  const parts = readCollateral(collateral)
  return oldest({
    tcbInfo: parseTcbInfo(parts.tcb_info),
    qeIdentity: parseQeIdentity(parts.qe_identity),
    pckCrl: parseCrl(parts.pck_crl),
  })
}

/** Of the parts that Intel issues often. Its root CRL is issued about once a year. */
function oldest(parts: Pick<AuthenticCollateral, 'tcbInfo' | 'qeIdentity' | 'pckCrl'>): UnixSeconds {
  return Math.min(parts.tcbInfo.issueDate, parts.qeIdentity.issueDate, parts.pckCrl.thisUpdate)
}
