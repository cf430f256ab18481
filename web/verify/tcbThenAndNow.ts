import { fromHex, type Hex, type UnixSeconds } from '@perigee/core/bytes'
import { ServiceError } from '@perigee/core/errors'
import { parseAnyReceipt, type TrustAnchors } from '@perigee/core/receipt'
import type { ReceiptEvidence } from '@perigee/core/receipt/verify'
import { parseQuoteCollateral, verifyQuote } from '@perigee/core/tdx'

/** The platform's firmware status when it signed, and what can be said about today. */
export interface TcbThenAndNow {
  then: { status: string; at: UnixSeconds }
  now: Checked | { kind: 'refused'; code: string; reason: string } | { kind: 'skip'; reason: string }
}

interface Checked {
  kind: 'checked'
  status: string
  /** Where the collateral came from. Only the vendor can have signed it, so this says nothing about whether it is true. */
  source: string
  issued: string
  until: string
}

/** Collateral that may be newer than the receipt's own. */
export interface Candidate {
  source: string
  bytes: Uint8Array
}

const stale = ['collateral_expired', 'crl_expired', 'cert_expired']

/**
 * Verifies the quote again as of today, with the newest collateral in force for this platform. Without any, the status
 * today is unknown, and that is not a failure of the receipt.
 */
export async function tcbThenAndNow(
  evidence: ReceiptEvidence,
  anchors: TrustAnchors,
  now: UnixSeconds,
  newer: readonly Candidate[] = [],
): Promise<TcbThenAndNow | null> {
  const signer = readSigner(evidence)
  if (!signer) return null
  const then = { status: signer.tcbStatus, at: signer.verifiedAt }
  const own = evidence.collateral && [{ source: 'the receipt itself', bytes: evidence.collateral }]
  const checked: Checked[] = []
  let ownFailure: ServiceError | undefined
  for (const candidate of [...(own ?? []), ...newer]) {
    try {
      checked.push(await check(signer.quote, candidate, anchors, now))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (candidate === own?.[0]) ownFailure = error
    }
  }
  checked.sort((a, b) => Date.parse(b.issued) - Date.parse(a.issued))
  if (checked[0]) return { then, now: checked[0] }
  if (ownFailure && !stale.includes(ownFailure.code)) {
    return { then, now: { kind: 'refused', code: ownFailure.code, reason: ownFailure.message } }
  }
  return { then, now: { kind: 'skip', reason: own ? outOfDate : missing } }
}

async function check(quote: Hex, { source, bytes }: Candidate, anchors: TrustAnchors, now: UnixSeconds) {
  const collateral = parseQuoteCollateral(parseJson(bytes))
  const verdict = await verifyQuote(fromHex(quote), collateral, fromHex(anchors.tdxRoot), now)
  // Just verified: Intel signed these dates.
  const { issueDate, nextUpdate } = JSON.parse(collateral.tcb_info) as { issueDate: string; nextUpdate: string }
  return { kind: 'checked' as const, status: verdict.tcbStatus, source, issued: issueDate, until: nextUpdate }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (cause) {
    throw new ServiceError('parse_failed', 'The collateral is not JSON.', {}, cause)
  }
}

const missing = 'The receipt’s collateral could not be fetched, and nothing newer was found.'
const outOfDate =
  'The receipt’s collateral is out of date, and the newest published receipts have nothing newer. Get it from Intel and choose the file below, or run “npm run verify -- quote”.'

/** A receipt that cannot be read has failed its own check already. */
function readSigner({ receipt }: ReceiptEvidence): { tcbStatus: string; verifiedAt: number; quote: Hex } | null {
  try {
    return parseAnyReceipt(receipt).signer
  } catch {
    return null
  }
}
