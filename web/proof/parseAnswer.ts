import { ServiceError, type ProofPayload } from '@perigee/sdk/proof'
import { statusWords } from './progress/statusWords.js'

const hash = /^0x[0-9a-f]{64}$/
const cid = /^baf[a-z2-7]{56}$/

/**
 * Takes the service's answer about a slug. Throws `bad_response` unless it has the form of one: parts of it stand in
 * links and in a command for the visitor's shell. Whether it is true is for the verification to say.
 */
export function parseAnswer(answer: unknown, slug: string): ProofPayload {
  const proof = Object(answer) as Record<keyof ProofPayload, unknown>
  const is = (pattern: RegExp, value: unknown) => typeof value === 'string' && pattern.test(value)
  const hasForm =
    proof.slug === slug &&
    (proof.kind === 'transaction' || proof.kind === 'birth' || proof.kind === 'message') &&
    Object.hasOwn(statusWords[proof.kind], String(proof.status)) &&
    is(hash, proof.txHash) &&
    is(/^0x[0-9a-fA-F]{40}$/, proof.walletAddress) &&
    Number.isSafeInteger(proof.chainId) &&
    (proof.ipfsCid === null || is(cid, proof.ipfsCid)) &&
    (proof.onchainTxHash === null || is(hash, proof.onchainTxHash)) &&
    (proof.onchainBlockNumber === null || Number.isSafeInteger(proof.onchainBlockNumber)) &&
    !Number.isNaN(Date.parse(String(proof.createdAt)))
  if (!hasForm) throw new ServiceError('bad_response', 'The service’s answer is not about this proof.')
  return answer as ProofPayload
}
