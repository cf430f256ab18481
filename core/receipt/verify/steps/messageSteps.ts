import { encodeSignMessageBinding } from '../../../binding/index.js'
import { ServiceError } from '../../../errors/index.js'
import { visibleText, type ParsedMessage } from '../../../message/index.js'
import { policyHash } from '../../../policy/index.js'
import { boundHashes, checkEntropyPolicy } from './bindingSteps.js'
import { receiptOf, sameReportData, shorten } from '../evidence.js'
import type { Step } from '../types.js'
import { verifyOpening } from '../verifyOpening.js'

/**
 * With the opening: content and signature are those that the receipt commits to, and the signature is the wallet's.
 * Without it, the receipt shows that the enclave signed something that the person asked for, and not what.
 */
export const opening: Step = {
  name: 'opening',
  title: 'The opening shows what was signed',
  absent: ({ evidence }) =>
    evidence.opening === undefined ? 'no opening was given: content and signature stay hidden' : undefined,
  async run(work) {
    const { parsed } = await verifyOpening(receiptOf(work, 'perigee-message/1'), work.evidence.opening)
    return `the wallet signed ${contentOf(parsed)}`
  },
}

/** The quote vouches for this commitment, key, entropy, coordinator report, and who asked. */
export const reportData: Step = {
  name: 'report_data',
  title: 'The quote binds this commitment and its evidence',
  skippable: true,
  run(work) {
    const receipt = receiptOf(work, 'perigee-message/1')
    const { scheme, requestHash, commitment } = receipt.message
    const encoded = encodeSignMessageBinding({ ...boundHashes(work, receipt), scheme, requestHash, commitment })
    return sameReportData(work, 'sign-message binding', encoded)
  },
}

/** The enclave kept to the policy that its quote binds, as far as that can be seen without the content. */
export const policy: Step = {
  name: 'policy',
  title: 'The signing policy allows this scheme',
  run(work) {
    const receipt = receiptOf(work, 'perigee-message/1')
    const { scheme } = receipt.message
    const { policy: rules } = receipt.signer
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
