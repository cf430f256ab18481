import type { Hex } from '@perigee/core'
import type { SignTransactionAnswer, SignTransactionRequest } from '@perigee/core/enclave'
import type { CoordinatorAttestation } from '../../clients/snp/CoordinatorAttestor.js'
import type { ReceiptAnchors, SignatureRecord } from '../../database/index.js'
import type { VerifiedEvidence } from '../../clients/enclave/EvidenceVerifier.js'

interface Signed {
  request: SignTransactionRequest
  answer: SignTransactionAnswer
  /** Having it means that the strict verification ran and accepted. */
  evidence: VerifiedEvidence
  coordinator: CoordinatorAttestation
  walletId: string
  transactionId: string
  slug: string
  txHash: Hex
  entropyHash: Hex
  anchors: ReceiptAnchors
  trustAnchors: { cid: string; bytes: Uint8Array }
  now: Date
}

/** The two records of one signature: everything its receipt will say, fixed now. */
export function signedRecord(signed: Signed): SignatureRecord {
  const { request, answer, evidence, coordinator, trustAnchors } = signed
  const at = signed.now.toISOString()
  const { simulated: coordinatorSimulated, measurement: _, ...coordinatorEvidence } = coordinator
  return {
    transaction: {
      id: signed.transactionId,
      walletId: signed.walletId,
      digest: request.digest,
      chainId: request.transaction.chainId,
      metadata: request.transaction,
      signature: answer.signature,
      txHash: signed.txHash,
      slug: signed.slug,
      createdAt: at,
    },
    attestation: {
      transactionId: signed.transactionId,
      platform: answer.platform,
      simulated: evidence.simulated || coordinatorSimulated || request.entropy.provenance === 'simulated',
      quote: answer.quote,
      runtimeEvents: answer.runtimeEvents,
      nonce: request.nonce,
      policyHash: answer.policyHash,
      signedAt: answer.signedAt,
      collateralCid: evidence.collateralCid,
      trustAnchorsCid: trustAnchors.cid,
      rootFingerprint: evidence.verdict.rootFingerprint,
      verifiedAt: evidence.verdict.verifiedAt,
      tcbStatus: evidence.verdict.tcbStatus,
      advisoryIds: [...evidence.verdict.advisoryIds],
      quoteVerified: true,
      coordinator: coordinatorEvidence,
      entropy: request.entropy,
      entropyHash: signed.entropyHash,
      anchors: signed.anchors,
      issuedAt: at,
    },
    bundles: [
      { cid: evidence.collateralCid, kind: 'collateral', bytes: evidence.collateralBytes },
      { cid: trustAnchors.cid, kind: 'trust-anchors', bytes: trustAnchors.bytes },
    ],
  }
}
