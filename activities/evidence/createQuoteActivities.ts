import type { DataSource } from 'typeorm'
import type { CreateKeyAnswer, CreateKeyRequest, SignTransactionAnswer } from '@perigee/core/enclave'
import type { EvidenceVerifier, SignedRequest } from '../../clients/enclave/EvidenceVerifier.js'
import { storeBundlesOnce, type Attestation } from '../../database/index.js'

export interface QuoteDeps {
  database: DataSource
  evidence: EvidenceVerifier
}

export type QuoteToVerify =
  | { kind: 'sign'; request: SignedRequest; answer: SignTransactionAnswer }
  | { kind: 'create'; request: CreateKeyRequest; answer: CreateKeyAnswer }

/** What the verification found. Having one means that the strict verification ran and accepted. */
export interface VerifiedQuote extends Pick<
  Attestation,
  'collateralCid' | 'rootFingerprint' | 'verifiedAt' | 'tcbStatus' | 'advisoryIds'
> {
  simulated: boolean
}

/** Third step of `signDigest` and of `provisionWallet`. */
export function createQuoteActivities({ database, evidence }: QuoteDeps) {
  return {
    /**
     * Verifies the quote offline and keeps the collateral it was judged with, because the receipt will name it. Reads
     * only, apart from that content-addressed block, so a retry is safe.
     */
    async verifyQuote(quote: QuoteToVerify): Promise<VerifiedQuote> {
      const found =
        quote.kind === 'sign'
          ? await evidence.verifySignEvidence(quote.request, quote.answer)
          : await evidence.verifyCreateKeyEvidence(quote.request, quote.answer)
      const { collateralCid, collateralBytes, simulated, verdict } = found
      await storeBundlesOnce(database, [{ cid: collateralCid, kind: 'collateral', bytes: collateralBytes }])
      return {
        collateralCid,
        simulated,
        rootFingerprint: verdict.rootFingerprint,
        verifiedAt: verdict.verifiedAt,
        tcbStatus: verdict.tcbStatus,
        advisoryIds: [...verdict.advisoryIds],
      }
    },
  }
}

export type QuoteActivities = ReturnType<typeof createQuoteActivities>
