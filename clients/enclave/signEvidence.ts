import type { Hex } from '@perigee/core'
import { authorisationOf, hashOf, ownersHash } from '@perigee/core/authorisation'
import { encodeSignBinding, encodeSignMessageBinding } from '@perigee/core/binding'
import type { SignTransactionAnswer } from '@perigee/core/enclave'
import { entropyWitnessHash } from '@perigee/core/entropy'
import { messageCommitment, parseMessage, requestHash } from '@perigee/core/message'
import { policyHash } from '@perigee/core/policy'
import type { SignedMessageRequest, SignedRequest } from './EvidenceVerifier.js'
import { hashOfBytes } from './keyEvidence.js'

/** What the quote over the signature of a transaction must bind. */
export function boundByTransaction(request: SignedRequest, answer: SignTransactionAnswer): Uint8Array {
  const { digest, transaction } = request
  const { chainId } = transaction
  return encodeSignBinding({ ...boundBySigning(request, answer), chainId, digest, signature: answer.signature })
}

/** The same of a message, and the digest that the key must have signed. */
export function boundByMessage(
  request: SignedMessageRequest,
  answer: SignTransactionAnswer,
): { digest: Hex; binding: Uint8Array } {
  const { message, digest } = parseMessage(request.message)
  const { scheme } = message
  const hidden = { scheme, digest, salt: request.salt }
  const binding = encodeSignMessageBinding({
    ...boundBySigning(request, answer),
    scheme,
    requestHash: requestHash(hidden),
    commitment: messageCommitment(hidden, answer.signature),
  })
  return { digest, binding }
}

/** Whatever was signed. */
function boundBySigning(
  request: SignedRequest | SignedMessageRequest,
  { publicKey, policy, signedAt }: SignTransactionAnswer,
) {
  return {
    keyId: request.keyId,
    publicKey,
    nonce: request.nonce,
    coordinatorReportHash: hashOfBytes(request.coordinator.report),
    entropyHash: entropyWitnessHash(request.entropy),
    policyHash: policyHash(policy),
    ownersHash: ownersHash(request.owners),
    authorisationHash: hashOf(authorisationOf(request)),
    signedAt,
  }
}
