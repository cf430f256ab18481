import type { DataSource } from 'typeorm'
import type { EvidenceVerifier, QuoteToVerify } from '../../clients/enclave/EvidenceVerifier.js'
import { storeBundlesOnce } from '../../database/index.js'
import { hashOfQuote, type VerifiedQuote } from './requireVerified.js'

export interface QuoteDeps {
  database: DataSource
  evidence: EvidenceVerifier
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
