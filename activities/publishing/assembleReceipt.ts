import { canonicalJson } from '@perigee/core'
import { buildReceipt } from '@perigee/core/receipt'
import type { ProofRecord } from '../../database/index.js'

/** The canonical receipt of a record. The same record always gives the same text, hence the same CID. */
export function assembleReceipt({ transaction, attestation, wallet }: ProofRecord): string {
  const receipt = buildReceipt({
    issuedAt: attestation.issuedAt,
    transaction: transaction.metadata,
    signature: transaction.signature,
    signer: {
      platform: attestation.platform,
      keyId: wallet.keyId,
      publicKey: wallet.publicKey,
      nonce: attestation.nonce,
      policy: attestation.policy,
      signedAt: attestation.signedAt,
      quote: attestation.quote,
      runtimeEvents: attestation.runtimeEvents,
      collateralCid: attestation.collateralCid,
      rootFingerprint: attestation.rootFingerprint,
      verifiedAt: attestation.verifiedAt,
      tcbStatus: attestation.tcbStatus,
      advisoryIds: attestation.advisoryIds,
    },
    coordinator: attestation.coordinator,
    authorisation: attestation.authorisation,
    entropy: attestation.entropy,
    publication: attestation.anchors.publication,
    trustAnchorsCid: attestation.trustAnchorsCid,
    spec: attestation.anchors.spec,
    instructions: attestation.anchors.instructions,
  })
  return canonicalJson(receipt)
}
