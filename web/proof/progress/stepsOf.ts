import type { ReceiptKind } from '@perigee/core/receipt'
import type { ProofPayload, ProofStatus } from '@perigee/sdk'
import { formatTime } from '../../format/formatTime.js'

export type StepState = 'done' | 'active' | 'waiting' | 'failed'

export interface Step {
  title: string
  detail: string
  state: StepState
}

const pinState: Record<ProofStatus, StepState> = {
  pending_pin: 'active',
  pin_failed: 'failed',
  pending_onchain: 'done',
  onchain_failed: 'done',
  complete: 'done',
}
const chainState: Record<ProofStatus, StepState> = {
  pending_pin: 'waiting',
  pin_failed: 'waiting',
  pending_onchain: 'active',
  onchain_failed: 'failed',
  complete: 'done',
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
export function stepsOf(proof: ProofSteps): Step[] {
  const pin = pinState[proof.status]
  const chain = chainState[proof.status]
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
