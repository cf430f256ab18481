import { ownersHash } from '../../authorisation/index.js'
import { encodeSignBinding } from '../../binding/index.js'
import { canonicalJson, fromHex } from '../../bytes/index.js'
import { checkFreshness, meetsLevel } from '../../entropy/index.js'
import { ServiceError } from '../../errors/index.js'
import { checkSigningPolicy, policyBytes, policyHash } from '../../policy/index.js'
import { authorisationBytes } from './authorisationSteps.js'
import { hashed, sameReportData, shorten, signedOf } from './evidence.js'
import type { Step } from './types.js'

/** The quote vouches for this transaction, signature, key, entropy, coordinator report, and who asked. */
export const reportDataStep: Step = {
  name: 'report_data',
  title: 'The quote binds this signature and its evidence',
  skippable: true,
  run(work) {
    const { transaction, signer, coordinator, authorisation, entropy } = signedOf(work)
    const entropyBytes = new TextEncoder().encode(canonicalJson(entropy))
    const encoded = encodeSignBinding({
      chainId: transaction.chainId,
      keyId: signer.keyId,
      publicKey: signer.publicKey,
      digest: transaction.digest,
      signature: transaction.signature,
      nonce: signer.nonce,
      coordinatorReportHash: hashed(work, 'coordinator report', 'sha-256', fromHex(coordinator.report)),
      entropyHash: hashed(work, 'entropy sample', 'sha-256', entropyBytes),
      policyHash: hashed(work, 'signing policy', 'sha-256', policyBytes(signer.policy)),
      ownersHash: ownersHash(authorisation.passkey?.owners ?? null),
      authorisationHash: hashed(work, 'authorisation', 'sha-256', authorisationBytes(authorisation)),
      signedAt: signer.signedAt,
    })
    return sameReportData(work, 'sign binding', encoded)
  },
}

/** The enclave kept to the policy that its quote binds. */
export const policyStep: Step = {
  name: 'policy',
  title: 'The signing policy allows this transaction',
  skippable: false,
  run(work) {
    const { transaction, signer, entropy } = signedOf(work)
    const { policy, signedAt } = signer
    checkSigningPolicy(transaction, policy)
    const { minimum, maxAgeSeconds } = policy.entropy
    if (!meetsLevel(entropy.provenance, minimum)) {
      throw new ServiceError('entropy_untrusted', `the sample is ${entropy.provenance}, the policy asks for ${minimum}`)
    }
    checkFreshness(entropy, { freshnessSeconds: maxAgeSeconds }, signedAt)
    return `chain ${transaction.chainId}, fee, value and entropy are within the policy ${shorten(policyHash(policy))}`
  },
}
