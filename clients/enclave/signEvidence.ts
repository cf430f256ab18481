import { authorisationOf, hashOf, ownersHash } from '@perigee/core/authorisation'
import type { SignTransactionAnswer } from '@perigee/core/enclave'
import { entropyWitnessHash } from '@perigee/core/entropy'
import { policyHash } from '@perigee/core/policy'
import type { SignedMessageRequest, SignedRequest } from './EvidenceVerifier.js'
import { hashOfBytes } from './keyEvidence.js'

/** What the quote over every signature must bind, whatever was signed. */
export function boundBySigning(
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
