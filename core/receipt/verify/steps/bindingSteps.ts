import { ownersHash } from '../../../authorisation/index.js'
import { encodeSignBinding, encodeSignMessageBinding } from '../../../binding/index.js'
import { fromHex } from '../../../bytes/index.js'
import { checkFreshness, meetsLevel } from '../../../entropy/index.js'
import { ServiceError } from '../../../errors/index.js'
import { checkSigningPolicy, policyHash } from '../../../policy/index.js'
import { hashed, hashedJson, receiptOf, sameReportData, shorten } from '../evidence.js'
import type { SignatureReceipt } from '../../AnyReceipt.js'
import type { Step, Work } from '../types.js'

/** The quote vouches for this transaction, signature, key, entropy, coordinator report, and who asked. */
export const transactionBinding: Step = {
  name: 'report_data',
  title: 'The quote binds this signature and its evidence',
  skippable: true,
  run(work) {
    const receipt = receiptOf(work, 'perigee-receipt/1')
    const { chainId, digest, signature } = receipt.transaction
    const encoded = encodeSignBinding({ ...boundHashes(work, receipt), chainId, digest, signature })
    return sameReportData(work, 'sign binding', encoded)
  },
}

/** The quote vouches for this commitment, key, entropy, coordinator report, and who asked. */
export const messageBinding: Step = {
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

/** What the quote binds about every signature, whatever was signed. */
function boundHashes(work: Work, receipt: SignatureReceipt) {
  const { signer, coordinator, authorisation, entropy } = receipt
  return {
    keyId: signer.keyId,
    publicKey: signer.publicKey,
    nonce: signer.nonce,
    coordinatorReportHash: hashed(work, 'coordinator report', 'sha-256', fromHex(coordinator.report)),
    entropyHash: hashedJson(work, 'entropy sample', entropy),
    policyHash: hashedJson(work, 'signing policy', signer.policy),
    ownersHash: ownersHash(authorisation.passkey?.owners ?? null),
    authorisationHash: hashedJson(work, 'authorisation', authorisation),
    signedAt: signer.signedAt,
  }
}

/** The enclave kept to the policy that its quote binds. */
export const transactionPolicy: Step = {
  name: 'policy',
  title: 'The signing policy allows this transaction',
  run(work) {
    const receipt = receiptOf(work, 'perigee-receipt/1')
    const { transaction, signer } = receipt
    const { policy } = signer
    checkSigningPolicy(transaction, policy)
    checkEntropyPolicy(receipt)
    return `chain ${transaction.chainId}, fee, value and entropy are within the policy ${shorten(policyHash(policy))}`
  },
}

/** The enclave kept to the policy that its quote binds, as far as that can be seen without the content. */
export const messagePolicy: Step = {
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

/** Throws unless the sample is what the policy asks for. */
function checkEntropyPolicy({ entropy, signer }: SignatureReceipt): void {
  const { minimum, maxAgeSeconds } = signer.policy.entropy
  if (!meetsLevel(entropy.provenance, minimum)) {
    throw new ServiceError('entropy_untrusted', `the sample is ${entropy.provenance}, the policy asks for ${minimum}`)
  }
  checkFreshness(entropy, { freshnessSeconds: maxAgeSeconds }, signer.signedAt)
}
