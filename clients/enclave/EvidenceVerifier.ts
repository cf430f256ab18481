import type { Hex, UnixSeconds } from '@perigee/core'
import type {
  ChangeOwnersAnswer,
  ChangeOwnersRequest,
  CreateKeyAnswer,
  CreateKeyRequest,
  ResealKeyAnswer,
  ResealKeyRequest,
  SignMessageRequest,
  SignTransactionAnswer,
  SignTransactionRequest,
} from '@perigee/core/enclave'
import type { ReleaseKeeper } from '@perigee/core/measurements'
import type { QuotePolicy } from '@perigee/core/policy'
import type { CoordinatorPart } from '@perigee/core/receipt'
import type { QuoteVerdict } from '@perigee/core/tdx'
import type { CollateralSupply } from '../collateral/createCollateralSupply.js'
import type { RevocationLists } from '../collateral/createRevocationLists.js'

/** A request as the receipt will show it: without the sealed key, with all that is said about the coordinator. */
type Shown<Request> = Omit<Request, 'sealedKey' | 'coordinator'> & { coordinator: CoordinatorPart }
export type SignedRequest = Shown<SignTransactionRequest>
export type SignedMessageRequest = Shown<SignMessageRequest>
export type OwnersRequest = Omit<ChangeOwnersRequest, 'sealedKey'>

/** A signature with its request. */
export interface QuotedSignature {
  kind: 'sign'
  request: ({ kind: 'transaction' } & SignedRequest) | ({ kind: 'message' } & SignedMessageRequest)
  answer: SignTransactionAnswer
}

/** A quote in an answer of the enclave, with what it must be about. */
export type QuoteToVerify =
  | QuotedSignature
  | { kind: 'create'; request: Shown<CreateKeyRequest>; answer: CreateKeyAnswer }
  | { kind: 'owners'; request: OwnersRequest; answer: ChangeOwnersAnswer }
  | { kind: 'reseal'; request: ResealKeyRequest; answer: ResealKeyAnswer }

/** What was proved about an answer, and the evidence a receipt must name. */
export interface VerifiedEvidence {
  verdict: QuoteVerdict
  /** True when the quote, or the report of the coordinator that asked, ends in a development root. */
  simulated: boolean
  collateralCid: string
  /** Canonical bytes behind `collateralCid`, to be pinned beside the receipt. */
  collateralBytes: Uint8Array
}

export interface EvidenceVerifier {
  /**
   * Nothing of an enclave's answer may be stored or passed on before this has returned. Throws `binding_mismatch`,
   * `measurement_unknown`, `tcb_not_allowed`, `collateral_stale`, `signature_invalid`, or a verifier's own code.
   */
  verify(quote: QuoteToVerify): Promise<VerifiedEvidence>
  /**
   * Verifies a quote that was verified before again, as of now and with the newest collateral, for a receipt that is published
   * later. What it binds was compared then; the list of builds at its block is for readers to find.
   */
  verifyQuoteAgain(quote: Hex): Promise<Omit<VerifiedEvidence, 'simulated'>>
}

export interface EvidenceVerifierOptions {
  collateral: Pick<CollateralSupply, 'collateralFor'>
  /** AMD's CRLs: a coordinator whose chain was revoked may not ask. */
  revocation: Pick<RevocationLists, 'requireNotRevoked'>
  /** DER of the only root a quote may end in. */
  tdxRoot: Uint8Array
  /** DER of the roots a coordinator's report may end in. */
  snpRoots: readonly Uint8Array[]
  /** The published builds. */
  releases: Pick<ReleaseKeeper, 'current'>
  policy: QuotePolicy
  /** False wherever a development root must never pass. */
  allowDevelopmentRoot: boolean
  /** How far the enclave's clock may be from ours. */
  maxClockSkewSeconds?: number
  now?(): UnixSeconds
}
