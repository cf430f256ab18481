import { originOf } from '@perigee/core/authorisation'
import { encodeSignMessageBinding } from '@perigee/core/binding'
import { parseSignMessageRequest, type SignMessageAnswer } from '@perigee/core/enclave'
import {
  checkSignInAccount,
  checkSignInSite,
  messageCommitment,
  messageKinds,
  parseMessage,
  requestHash,
} from '@perigee/core/message'
import { checkMessagePolicy } from '@perigee/core/policy'
import { createSigner } from '../keys/createSigner.js'
import type { OperationDeps } from './OperationDeps.js'

/**
 * The operation that signs messages and typed data. It computes the digest from the content: there is no way to have a
 * hash signed. The quote, and so the receipt, only commits to content and signature, because both together are a
 * credential. Statement and passkey cover `requestHash`, which commits to the content with the same salt.
 */
export function signMessageOperation(deps: OperationDeps) {
  const sign = createSigner(deps)
  return async function signMessage(body: unknown): Promise<SignMessageAnswer> {
    const request = parseSignMessageRequest(body)
    const { address, salt, approval } = request
    const { message, digest, chainId, signIn } = parseMessage(request.message)
    checkMessagePolicy({ chainId }, deps.policy)
    if (signIn) checkSignInAccount(signIn, address)
    // Without a passkey the enclave does not know the page: the attested API compares it with the pages that it allows.
    if (signIn && approval) checkSignInSite(signIn, [originOf(approval)])
    const { scheme } = message
    const hidden = { scheme, digest, salt }
    const hash = requestHash(hidden)
    const asked = { kind: messageKinds[scheme], chainId: 0, digest: hash, signedDigest: digest }
    return sign(request, asked, (bound, signature) => {
      const commitment = messageCommitment(hidden, signature)
      return encodeSignMessageBinding({ ...bound, scheme, requestHash: hash, commitment })
    })
  }
}
