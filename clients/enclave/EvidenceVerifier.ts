import type {
  ChangeOwnersAnswer,
  ChangeOwnersRequest,
  CreateKeyAnswer,
  CreateKeyRequest,
  SignTransactionAnswer,
  SignTransactionRequest,
} from '@perigee/core/enclave'
import type { QuoteVerdict } from '@perigee/core/tdx'

/** A signing request as the quote vouches for it: the sealed key is not part of the evidence. */
export type SignedRequest = Omit<SignTransactionRequest, 'sealedKey'>
export type OwnersRequest = Omit<ChangeOwnersRequest, 'sealedKey'>

/** What was proved about an answer, and the evidence a receipt must name. */
export interface VerifiedEvidence {
  verdict: QuoteVerdict
  /** True when the quote ends in a development root. */
  simulated: boolean
  collateralCid: string
  /** Canonical bytes behind `collateralCid`, to be pinned beside the receipt. */
  collateralBytes: Uint8Array
}

/**
 * Nothing of an enclave's answer may be stored or passed on before this has returned. Throws `binding_mismatch`,
 * `measurement_unknown`, `tcb_not_allowed`, `collateral_stale`, `signature_invalid`, or a verifier's own code.
 */
export interface EvidenceVerifier {
  verifySignEvidence(request: SignedRequest, answer: SignTransactionAnswer): Promise<VerifiedEvidence>
  verifyOwnersEvidence(request: OwnersRequest, answer: ChangeOwnersAnswer): Promise<VerifiedEvidence>
  verifyCreateKeyEvidence(request: CreateKeyRequest, answer: CreateKeyAnswer): Promise<VerifiedEvidence>
}
