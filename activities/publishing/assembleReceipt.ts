import { canonicalJson } from '@perigee/core'
import { buildBirth, buildReceipt } from '@perigee/core/receipt'
import type { Attestation, ProofRecord } from '../../database/index.js'

/**
 * The canonical receipt of a record. The same record always gives the same text, hence the same CID. `birthCid`: of the
 * wallet, for the receipt of a signature.
 */
export function assembleReceipt(record: ProofRecord, birthCid: string | null): string {
  const { transaction, attestation, wallet } = record
  const parts = partsOf(attestation)
  const { publicKey, keyId } = wallet
  if (transaction === null) {
    const { sealedKeyHash, madeAt: createdAt, authorisation } = attestation
    return canonicalJson(buildBirth({ ...parts, key: { publicKey, sealedKeyHash, createdAt }, authorisation }))
  }
  const { policy, madeAt: signedAt, authorisation } = attestation
  const receipt = buildReceipt({
    ...parts,
    transaction: transaction.metadata,
    signature: transaction.signature,
    signer: { ...parts.signer, keyId, publicKey, birthCid: birthCid ?? '', policy, signedAt },
    authorisation,
  })
  return canonicalJson(receipt)
}

function partsOf(attestation: Attestation) {
  return {
    issuedAt: attestation.issuedAt,
    signer: {
      platform: attestation.platform,
      nonce: attestation.nonce,
      quote: attestation.quote,
      runtimeEvents: attestation.runtimeEvents,
      collateralCid: attestation.collateralCid,
      rootFingerprint: attestation.rootFingerprint,
      verifiedAt: attestation.verifiedAt,
      tcbStatus: attestation.tcbStatus,
      advisoryIds: attestation.advisoryIds,
    },
    coordinator: attestation.coordinator,
    entropy: attestation.entropy,
    publication: attestation.anchors.publication,
    trustAnchorsCid: attestation.trustAnchorsCid,
    spec: attestation.anchors.spec,
    instructions: attestation.anchors.instructions,
  }
}
