import { ServiceError } from '@perigee/core'
import { hashOf } from '@perigee/core/authorisation'
import type { QuoteToVerify } from '../../clients/enclave/EvidenceVerifier.js'
import type { VerifiedQuote } from './createQuoteActivities.js'

/**
 * For a step that records what the enclave answered: this quote, about this request, is what was verified. Someone who writes to
 * Temporal could put a result of the same run, or of another run of the same name, in any step's place.
 */
export function requireVerified(verified: VerifiedQuote | undefined, quote: QuoteToVerify): void {
  if (verified?.quoteHash === hashOf(quote)) return
  throw new ServiceError('binding_mismatch', 'what was verified is another quote, or about another request')
}
