import { ServiceError, type Hex } from '@perigee/core'
import { hashOfBytes } from '../../clients/enclave/keyEvidence.js'
import type { VerifiedQuote } from './createQuoteActivities.js'

/**
 * For a step that records what the enclave answered: this quote, and no other, is the one that was verified. Someone who
 * writes to Temporal could put another result of the same run in the verification's place.
 */
export function requireVerified(verified: VerifiedQuote | undefined, { quote }: { quote: Hex }): void {
  if (verified?.quoteHash === hashOfBytes(quote)) return
  throw new ServiceError('binding_mismatch', 'the quote that was verified is another one')
}
