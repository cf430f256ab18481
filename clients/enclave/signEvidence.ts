import { verifyDigest, type Hex } from '@perigee/core'
import { authorisationOf, hashOf, ownersHash } from '@perigee/core/authorisation'
import { encodeSignBinding, encodeSignMessageBinding } from '@perigee/core/binding'
import type { SignTransactionAnswer } from '@perigee/core/enclave'
import { entropyWitnessHash } from '@perigee/core/entropy'
import { messageCommitment, parseMessage, requestHash } from '@perigee/core/message'
import { policyHash } from '@perigee/core/policy'
import type { QuotedSignature, SignedMessageRequest, SignedRequest } from './EvidenceVerifier.js'
import { hashOfBytes } from './keyEvidence.js'

/** What the quote over a signature must bind, and the digest that the key must have signed. */
export function boundBySignature({ request, answer }: QuotedSignature): { digest: Hex; binding: Uint8Array } {
  const { signature } = answer
  if (request.kind === 'transaction') {
    const { digest, transaction } = request
    verifyDigest(transaction, digest)
    const signed = { chainId: transaction.chainId, digest, signature }
    return { digest, binding: encodeSignBinding({ ...boundBySigning(request, answer), ...signed }) }
  }
  const { message, digest } = parseMessage(request.message)
  const { scheme } = message
  const hidden = { scheme, digest, salt: request.salt }
  const names = { scheme, requestHash: requestHash(hidden), commitment: messageCommitment(hidden, signature) }
  return { digest, binding: encodeSignMessageBinding({ ...boundBySigning(request, answer), ...names }) }
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
