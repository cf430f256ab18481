import { hash } from 'node:crypto'
import { canonicalJson, ServiceError, type Hex } from '@perigee/core'
import type { QuoteToVerify } from '../../clients/enclave/EvidenceVerifier.js'
import type { Attestation } from '../../database/index.js'

/** What the verification found. Having one means that the strict verification ran and accepted. */
export interface VerifiedQuote extends Pick<
  Attestation,
  'collateralCid' | 'rootFingerprint' | 'verifiedAt' | 'tcbStatus' | 'advisoryIds'
> {
  simulated: boolean
  /** SHA-256 of what was verified: the quote, and the request and answer that it is about. */
  quoteHash: Hex
}

/** SHA-256 of everything that the verification was about: some 30 kB, so Node hashes them, not `core`. */
export const hashOfQuote = (quote: QuoteToVerify): Hex => `0x${hash('sha256', canonicalJson(quote))}`

/**
 * For a step that records what the enclave answered: this quote, about this request, is what was verified. Someone who writes to
 * Temporal could put a result of the same run, or of another run of the same name, in any step's place.
 */
export function requireVerified(verified: VerifiedQuote | undefined, quote: QuoteToVerify): void {
  if (verified?.quoteHash === hashOfQuote(quote)) return
  throw new ServiceError('binding_mismatch', 'what was verified is another quote, or about another request')
}
