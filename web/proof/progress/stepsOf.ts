import type { ReceiptKind } from '@perigee/core/receipt'
import type { ProofPayload, ProofStatus } from '@perigee/sdk'
import { formatTime } from '../../format/formatTime.js'

export type StepState = 'done' | 'active' | 'waiting' | 'failed'

/** Where storing and publishing stand, by the status of the proof. */
const states: Record<ProofStatus, [pin: StepState, chain: StepState]> = {
  pending_pin: ['active', 'waiting'],
  pin_failed: ['failed', 'waiting'],
  pending_onchain: ['done', 'active'],
  onchain_failed: ['done', 'failed'],
  complete: ['done', 'done'],
}
const pinDetail: Partial<Record<StepState, string>> = {
  active: 'Waiting until the transaction is seen on its chain, then pinned to IPFS.',
  failed: 'The receipt could not be stored on IPFS and cannot be verified yet.',
  done: 'The receipt is public. Its address is the hash of its bytes.',
}
const chainDetail: Record<Exclude<StepState, 'done'>, string> = {
  waiting: 'Comes after the receipt is stored.',
  active: 'Waiting for the chain to confirm the event.',
  failed: 'The event is not on the chain. The receipt itself stays verifiable.',
}

/** From what the event points to the receipt. */
const pointers: Record<ReceiptKind, string> = { transaction: 'transaction', birth: 'wallet', message: 'commitment' }

/** What the steps of a proof are derived from. */
type ProofSteps = Pick<ProofPayload, 'status' | 'createdAt' | 'onchainBlockNumber'> & { kind: ReceiptKind }

/** The three steps of every proof, with the state of each. */
export function stepsOf(proof: ProofSteps): { title: string; detail: string; state: StepState }[] {
  const [pin, chain] = states[proof.status]
  const { kind } = proof
  const made = kind === 'birth' ? 'Made in the enclave' : 'Signed in the enclave'
  const pinned = kind !== 'transaction' && pin === 'active' ? 'Being pinned to IPFS.' : pinDetail[pin]
  const pointed = chain === 'done' ? `The event points from the ${pointers[kind]} to the receipt.` : chainDetail[chain]
  const block = proof.onchainBlockNumber === null ? '' : ` Block ${proof.onchainBlockNumber}.`
  return [
    { title: made, detail: `On ${formatTime(proof.createdAt)}.`, state: 'done' },
    { title: 'Stored on IPFS', detail: pinned ?? '', state: pin },
    { title: 'Published on the chain', detail: pointed + block, state: chain },
  ]
}
