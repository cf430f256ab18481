import { fromHex, type Hex, type UnixSeconds } from '../../bytes/index.js'
import { ServiceError, type ErrorCode } from '../../errors/index.js'
import { checkQuotePolicy } from '../../policy/index.js'
import { verifyCollateral, verifyQuote, type QuoteCollateral } from '../../tdx/index.js'
import { readReceipt } from '../schema/parseReceipt.js'
import type { TrustAnchors } from '../anchors/TrustAnchors.js'
import { parseCollateral } from './evidence.js'
import type { ReceiptEvidence } from './types.js'

/** The platform's firmware status when the receipt was made, and what can be said about today. */
export interface TcbThenAndNow {
  then: { status: string; at: UnixSeconds }
  now: CheckedToday | { kind: 'refused'; code: string; reason: string } | { kind: 'skip'; reason: string }
}

interface CheckedToday {
  kind: 'checked'
  status: string
  /** Where the collateral came from. Only the vendor can have signed it, so this says nothing about whether it is true. */
  source: string
  issuedAt: UnixSeconds
  /** From this second on the collateral is out of date. */
  expiresAt: UnixSeconds
}

/** Collateral that may be newer than the receipt's own. */
export interface Candidate {
  source: string
  bytes: Uint8Array
}

interface InForce {
  source: string
  collateral: QuoteCollateral
  issuedAt: UnixSeconds
}

const stale: ErrorCode[] = ['collateral_expired', 'crl_expired', 'cert_expired']
/** Authentic collateral, but of other platforms. */
const foreign: ErrorCode[] = ['fmspc_mismatch', 'pce_id_mismatch', 'crl_invalid']

/**
 * Judges the quote again as of today, by the newest collateral in force for this platform and by that alone: an older set does not
 * know of what was revoked since. Without any, the status today is unknown, and that is not a failure of the receipt.
 */
export async function tcbThenAndNow(
  evidence: ReceiptEvidence,
  anchors: TrustAnchors,
  now: UnixSeconds,
  newer: readonly Candidate[] = [],
): Promise<TcbThenAndNow | null> {
  const signer = readReceipt(evidence.receipt)?.signer
  if (!signer) return null // it has failed its own check already
  const then = { status: signer.tcbStatus, at: signer.verifiedAt }
  const own = evidence.collateral && { source: 'the receipt itself', bytes: evidence.collateral }
  const inForce: InForce[] = []
  let ownFailure: ServiceError | undefined
  for (const candidate of own ? [own, ...newer] : newer) {
    try {
      inForce.push(await authenticate(candidate, anchors, now))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (candidate === own) ownFailure = error
    }
  }
  inForce.sort((a, b) => b.issuedAt - a.issuedAt)
  for (const candidate of inForce) {
    try {
      return { then, now: await verifyWith(signer.quote, candidate, anchors, now) }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (!foreign.includes(error.code)) return { then, now: refused(error) }
    }
  }
  if (ownFailure && !stale.includes(ownFailure.code)) return { then, now: refused(ownFailure) }
  return { then, now: { kind: 'skip', reason: own ? outOfDate : missing } }
}

const refused = ({ code, message: reason }: ServiceError) => ({ kind: 'refused' as const, code, reason })

async function authenticate({ source, bytes }: Candidate, anchors: TrustAnchors, now: UnixSeconds): Promise<InForce> {
  const collateral = parseCollateral(bytes)
  const { issuedAt } = await verifyCollateral(collateral, fromHex(anchors.tdxRoot), now)
  return { source, collateral, issuedAt }
}

async function verifyWith(quote: Hex, { source, collateral }: InForce, anchors: TrustAnchors, now: UnixSeconds) {
  const verdict = await verifyQuote(fromHex(quote), collateral, fromHex(anchors.tdxRoot), now)
  checkQuotePolicy(verdict, anchors.enclave, now)
  const { tcbStatus: status, collateralIssuedAt: issuedAt, collateralExpiresAt: expiresAt } = verdict
  return { kind: 'checked' as const, status, source, issuedAt, expiresAt }
}

const missing = 'The receipt’s collateral could not be fetched, and nothing newer was found.'
const outOfDate =
  'The receipt’s collateral is out of date, and the newest published receipts have nothing newer. Get newer collateral from Intel and give the file.'
