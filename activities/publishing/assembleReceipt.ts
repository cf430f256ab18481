import { canonicalJson, ServiceError } from '@perigee/core'
import type { SignedStatement } from '@perigee/core/authorisation'
import { messageKinds, messageSchemes, type MessageScheme } from '@perigee/core/message'
import { buildBirth, buildMessageReceipt, buildReceipt } from '@perigee/core/receipt'
import type { Attestation, ProofRecord } from '../../database/index.js'

/**
 * The canonical receipt of a record. The same record always gives the same text, and so the same CID. `birthCid`: of the
 * wallet, for the receipt of a signature.
 */
export function assembleReceipt(record: ProofRecord, birthCid: string | null): string {
  const parts = partsOf(record.attestation)
  const { publicKey, keyId } = record.wallet
  if (record.kind === 'birth') {
    const { sealedKeyHash, madeAt: createdAt, authorisation } = record.attestation
    return canonicalJson(buildBirth({ ...parts, key: { publicKey, sealedKeyHash, createdAt }, authorisation }))
  }
  const { policy, madeAt: signedAt, authorisation } = record.attestation
  const signer = { ...parts.signer, keyId, publicKey, birthCid: birthCid ?? '', policy, signedAt }
  if (record.kind === 'message') {
    const { statement } = authorisation
    const commitment = record.publication.txHash
    const message = { scheme: schemeOf(statement), requestHash: statement.digest, commitment }
    return canonicalJson(buildMessageReceipt({ ...parts, message, signer, authorisation }))
  }
  const { metadata: transaction, signature } = record.transaction
  return canonicalJson(buildReceipt({ ...parts, transaction, signature, signer, authorisation }))
}

/** The statement that asked for the signature says how it was to be made. */
function schemeOf({ kind }: SignedStatement): MessageScheme {
  const found = messageSchemes.find((scheme) => kind === `sign-${messageKinds[scheme]}`)
  if (!found) throw new ServiceError('internal_error', 'the record of a message has a statement about something else')
  return found
}

function partsOf(attestation: Attestation) {
  const { issuedAt, platform, nonce, quote, runtimeEvents, coordinator, entropy, trustAnchorsCid } = attestation
  const { collateralCid, rootFingerprint, verifiedAt, tcbStatus, advisoryIds } = attestation
  const { publication, spec, instructions } = attestation.anchors
  const verdict = { collateralCid, rootFingerprint, verifiedAt, tcbStatus, advisoryIds }
  const signer = { platform, nonce, quote, runtimeEvents, ...verdict }
  return { issuedAt, signer, coordinator, entropy, publication, trustAnchorsCid, spec, instructions }
}
