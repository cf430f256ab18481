import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import type { EvidenceVerifier, QuoteToVerify } from '../../clients/enclave/EvidenceVerifier.js'
import { storeBundlesOnce, type Attestation } from '../../database/index.js'
import { hashOfQuote } from './requireVerified.js'

export interface QuoteDeps {
  database: DataSource
  evidence: EvidenceVerifier
}

/** What the verification found. Having one means that the strict verification ran and accepted. */
export interface VerifiedQuote extends Pick<
  Attestation,
  'collateralCid' | 'rootFingerprint' | 'verifiedAt' | 'tcbStatus' | 'advisoryIds'
> {
  simulated: boolean
  /** SHA-256 of what was verified: the quote, and the request and answer that it is about. */
  quoteHash: Hex
}

/** The step of `signDigest`, `signMessage`, `provisionWallet`, `changeOwners` and `resealWallet` that decides whether the enclave's answer is used. */
export function createQuoteActivities({ database, evidence }: QuoteDeps) {
  return {
    /**
     * Verifies the quote offline and keeps the collateral it was judged with, because the receipt will name it. Reads
     * only, apart from that content-addressed block, so a retry is safe.
     */
    async verifyQuote(quote: QuoteToVerify): Promise<VerifiedQuote> {
      const { collateralCid, collateralBytes, simulated, verdict } = await evidence.verify(quote)
      await storeBundlesOnce(database, [{ cid: collateralCid, kind: 'collateral', bytes: collateralBytes }])
      return {
        collateralCid,
        simulated,
        quoteHash: hashOfQuote(quote),
        rootFingerprint: verdict.rootFingerprint,
        verifiedAt: verdict.verifiedAt,
        tcbStatus: verdict.tcbStatus,
        advisoryIds: [...verdict.advisoryIds],
      }
    },
  }
}

export type QuoteActivities = ReturnType<typeof createQuoteActivities>
