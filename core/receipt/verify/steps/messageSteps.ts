import { encodeSignMessageBinding } from '../../../binding/index.js'
import { ServiceError } from '../../../errors/index.js'
import { messageKinds, visibleText, type ParsedMessage } from '../../../message/index.js'
import { policyHash } from '../../../policy/index.js'
import { addressOfPublicKey } from '../../addressOfPublicKey.js'
import { approvalHash, checkPasskey, checkStatement } from './authorisationSteps.js'
import { boundHashes, checkEntropyPolicy } from './bindingSteps.js'
import { messageOf, sameReportData, shorten } from '../evidence.js'
import type { Step } from '../types.js'
import { verifyOpening } from '../verifyOpening.js'

/** The key that the quote binds is the wallet's key. */
export const publicKey: Step = {
  name: 'public_key',
  title: 'The enclave’s key is the wallet’s key',
  skippable: false,
  run(work) {
    const { signer, message } = messageOf(work)
    const address = addressOfPublicKey(signer.publicKey)
    if (address !== signer.address || address !== message.from) {
      throw new ServiceError('public_key_mismatch', 'the public key belongs to another address', { address })
    }
    return `address of public key ${signer.publicKey} = ${address}`
  },
}

/**
 * With the opening: content and signature are those that the receipt commits to, and the signature is the wallet's.
 * Without it, the receipt shows that the enclave signed something that the person asked for, and not what.
 */
export const opening: Step = {
  name: 'opening',
  title: 'The opening shows what was signed',
  skippable: false,
  absent: ({ evidence }) =>
    evidence.opening === undefined ? 'no opening was given: content and signature stay hidden' : undefined,
  async run(work) {
    const { parsed } = await verifyOpening(messageOf(work), work.evidence.opening)
    return `the wallet signed ${contentOf(parsed)}`
  },
}

/** The attested coordinator asked for exactly this signature, in the name of one person, and in time. */
export const statement: Step = {
  name: 'statement',
  title: 'The coordinator’s statement asks for exactly this signature',
  skippable: true,
  run(work) {
    const { message, authorisation } = messageOf(work)
    return checkStatement(work, {
      kind: `sign-${messageKinds[message.scheme]}`,
      address: message.from,
      digest: message.requestHash,
      chainId: 0,
      authorisationHash: approvalHash(authorisation),
    })
  },
}

/** Where the wallet has owners: one of them agreed to exactly this message. The level is enough for the verifier. */
export const passkey: Step = {
  name: 'passkey',
  title: 'Who authorised it is shown as strongly as you ask',
  skippable: true,
  run(work) {
    const receipt = messageOf(work)
    const { scheme, from, requestHash: digest } = receipt.message
    return checkPasskey(work, receipt, from, { kind: messageKinds[scheme], chainId: 0, digest })
  },
}

/** The quote vouches for this commitment, key, entropy, coordinator report, and who asked. */
export const reportData: Step = {
  name: 'report_data',
  title: 'The quote binds this commitment and its evidence',
  skippable: true,
  run(work) {
    const receipt = messageOf(work)
    const { scheme, requestHash: asked, commitment } = receipt.message
    const bound = boundHashes(work, receipt)
    return sameReportData(
      work,
      'sign-message binding',
      encodeSignMessageBinding({ ...bound, scheme, requestHash: asked, commitment }),
    )
  },
}

/** The enclave kept to the policy that its quote binds, as far as that can be seen without the content. */
export const policy: Step = {
  name: 'policy',
  title: 'The signing policy allows this scheme',
  skippable: false,
  run(work) {
    const receipt = messageOf(work)
    const { scheme } = receipt.message
    const rules = receipt.signer.policy
    if (!rules.messageSchemes.includes(scheme)) {
      throw new ServiceError('message_scheme_unsupported', `the policy does not allow ${scheme}`)
    }
    checkEntropyPolicy(receipt)
    return `${scheme} and entropy are within the policy ${shorten(policyHash(rules))}`
  },
}

/** For people. */
function contentOf({ message, text, signIn }: ParsedMessage): string {
  const what = signIn ? `a sign-in to ${signIn.domain}` : message.scheme === 'eip712' ? 'typed data' : 'a message'
  const content = message.scheme === 'eip712' ? message.typedData : (text ?? message.message)
  return `${what}: ${visibleText(JSON.stringify(content))}`
}
