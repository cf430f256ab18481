import { entropyWitnessHash } from '@perigee/core/entropy'
import type { QuoteToVerify } from '../../clients/enclave/EvidenceVerifier.js'
import type { Attestation, ReceiptAnchors } from '../../database/index.js'
import { newSlug } from './newSlug.js'
import { requireVerified, type VerifiedQuote } from './requireVerified.js'

/** What every receipt of this service names. */
export interface ReceiptNames {
  anchors: ReceiptAnchors
  /** The anchors that we verified with: pinned once, named by every receipt. */
  trustAnchors: { cid: string; bytes: Uint8Array }
}

/** What is added when a record is made. */
export interface RecordFacts extends ReceiptNames {
  slug: string
  now: Date
}

export const newFacts = ({ anchors, trustAnchors, now }: ReceiptNames & { now: () => Date }): RecordFacts => {
  return { anchors, trustAnchors, slug: newSlug(), now: now() }
}

/** A quote that a receipt shows. */
type ShownQuote = Extract<QuoteToVerify, { kind: 'sign' | 'create' }>

type Shared = Omit<Attestation, 'slug' | 'policy' | 'sealedKeyHash' | 'authorisation'>

/** The part of an attestation record that does not depend on what was attested: all of it is fixed now. */
export function attestationOf(quote: ShownQuote, verified: VerifiedQuote, facts: RecordFacts): Shared {
  requireVerified(verified, quote)
  const { answer, request } = quote
  const { nonce, coordinator, entropy } = request
  const { simulated, quoteHash: _, ...verdict } = verified
  return {
    ...verdict,
    platform: answer.platform,
    simulated: simulated || entropy.provenance === 'simulated',
    quote: answer.quote,
    runtimeEvents: answer.runtimeEvents,
    nonce,
    madeAt: quote.kind === 'sign' ? quote.answer.signedAt : quote.answer.createdAt,
    trustAnchorsCid: facts.trustAnchors.cid,
    quoteVerified: true,
    coordinator,
    entropy,
    entropyHash: entropyWitnessHash(entropy),
    anchors: facts.anchors,
    issuedAt: facts.now.toISOString(),
  }
}

/** The bundle that every receipt names, beside its collateral, which is stored when the quote is verified. */
export const trustAnchorsBundle = ({ trustAnchors }: ReceiptNames) =>
  ({ cid: trustAnchors.cid, kind: 'trust-anchors', bytes: trustAnchors.bytes }) as const
