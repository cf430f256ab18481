import { fromHex, type Hex, type UnixSeconds } from '@perigee/core/bytes'
import { ServiceError } from '@perigee/core/errors'
import { parseReceipt, type TrustAnchors } from '@perigee/core/receipt'
import type { ReceiptEvidence } from '@perigee/core/receipt/verify'
import { parseQuoteCollateral, verifyQuote } from '@perigee/core/tdx'

/** The platform's firmware status when it signed, and what can be said about today. */
export interface TcbThenAndNow {
  then: { status: string; at: UnixSeconds }
  now:
    | { kind: 'judged'; status: string; issued: string; until: string }
    | { kind: 'refused'; code: string; reason: string }
    | { kind: 'skip'; reason: string }
}

const stale = ['collateral_expired', 'crl_expired', 'cert_expired']

/**
 * Judges the quote again as of today, with the newest collateral this page may have: the receipt's own. It asks nobody
 * else, so once that collateral is out of date nothing can be said, and that is not a failure of the receipt.
 */
export async function tcbThenAndNow(
  evidence: ReceiptEvidence,
  anchors: TrustAnchors,
  now: UnixSeconds,
): Promise<TcbThenAndNow | null> {
  const signer = readSigner(evidence)
  if (!signer) return null
  const then = { status: signer.tcbStatus, at: signer.verifiedAt }
  if (!evidence.collateral) return { then, now: { kind: 'skip', reason: 'The collateral could not be fetched.' } }
  try {
    const collateral = parseQuoteCollateral(JSON.parse(new TextDecoder().decode(evidence.collateral)))
    const verdict = await verifyQuote(fromHex(signer.quote), collateral, fromHex(anchors.tdxRoot), now)
    // Signed by Intel, as was just verified: only then are its dates worth showing.
    const { issueDate, nextUpdate } = JSON.parse(collateral.tcb_info) as { issueDate: string; nextUpdate: string }
    return { then, now: { kind: 'judged', status: verdict.tcbStatus, issued: issueDate, until: nextUpdate } }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const isStale = stale.includes(error.code)
    return { then, now: isStale ? { kind: 'skip', reason: outOfDate } : refusal(error) }
  }
}

const outOfDate =
  'The collateral the receipt names is out of date, and this page may ask nobody but the gateway for newer. Fetch it from Intel yourself and run “npm run verify -- quote”.'

function refusal({ code, message }: ServiceError): TcbThenAndNow['now'] {
  return { kind: 'refused', code, reason: message }
}

/** A receipt that cannot be read has failed its own check already. */
function readSigner({ receipt }: ReceiptEvidence): { tcbStatus: string; verifiedAt: number; quote: Hex } | null {
  try {
    return parseReceipt(receipt).signer
  } catch {
    return null
  }
}
