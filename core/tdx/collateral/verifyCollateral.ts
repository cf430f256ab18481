import { toHex, type Hex, type UnixSeconds } from '../../bytes/index.js'
import { authenticateCollateral, trustedRoot } from './authenticateCollateral.js'
import { checkCollateralTime, collateralEnd, collateralIssued } from './checkCollateralTime.js'
import type { QuoteCollateral } from '../types.js'

export interface CollateralVerdict {
  fmspc: Hex
  /** The lower of the TCB info's and the QE identity's number, as in a quote's verdict. */
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
  const { root: anchor, fingerprint } = await trustedRoot(root)
  const authentic = await authenticateCollateral(collateral, anchor, fingerprint)
  if (now !== null) checkCollateralTime(authentic, now)
  const { tcbInfo, qeIdentity } = authentic
  return {
    fmspc: toHex(tcbInfo.fmspc),
    tcbEvaluationDataNumber: Math.min(tcbInfo.tcbEvaluationDataNumber, qeIdentity.tcbEvaluationDataNumber),
    issuedAt: collateralIssued(authentic),
    expiresAt: collateralEnd(authentic) + 1,
  }
}
