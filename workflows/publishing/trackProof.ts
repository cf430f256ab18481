import { defineQuery, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow'
import type { ProofStatus } from '@perigee/core/proof'
import { messages, proofKeys, type ProofProgress, type PublishReceiptInput } from '@perigee/core/workflow'
import type { StepFailure } from '../failures.js'
import { describeProof } from './describeProof.js'

const proofQuery = defineQuery<ProofProgress>(messages.proof)

type Found = Partial<Pick<ProofProgress, 'ipfsCid' | 'onchainTxHash' | 'onchainBlockNumber'>>

/** The proof as this workflow knows it: query, search attributes and current details in one place. */
export function trackProof(input: PublishReceiptInput) {
  const progress: ProofProgress = {
    slug: input.slug,
    status: 'pending_pin',
    since: new Date().toISOString(), // deterministic here: Temporal replaces Date inside workflows
    ipfsCid: null,
    onchainTxHash: null,
    onchainBlockNumber: null,
    failure: null,
  }
  setHandler(proofQuery, () => progress, { description: 'The state of the proof.' })
  const about = aboutOf(input)
  const show = (now: string, failed: StepFailure | null = null): void =>
    setCurrentDetails(describeProof(progress, about, now, failed))
  const isSent = input.kind === 'transaction'
  show(isSent ? `waiting until chain ${input.chainId} has seen the transaction` : 'about to pin')

  return {
    input,
    /** Says in the UI what the workflow is doing, within its state. */
    describe: (now: string): void => show(now),
    get status(): ProofStatus {
      return progress.status
    },
    enter(status: ProofStatus, found: Found = {}, failed: StepFailure | null = null): void {
      const { ipfsCid, onchainTxHash, onchainBlockNumber } = { ...progress, ...found }
      const previous = progress.failure
      Object.assign(progress, { ipfsCid, onchainTxHash, onchainBlockNumber, status, failure: failed?.code ?? null })
      progress.since = new Date().toISOString()
      upsertSearchAttributes([
        { key: proofKeys.status, value: status },
        ...(found.ipfsCid ? [{ key: proofKeys.cid, value: found.ipfsCid }] : []),
        ...(failed || previous ? [{ key: proofKeys.failure, value: failed?.code ?? null }] : []),
      ])
      show(doing[status], failed)
    },
  }
}

function aboutOf({ kind, wallet, txHash }: PublishReceiptInput): string {
  if (kind === 'birth') return `the birth of wallet ${wallet}`
  return `${kind} ${txHash}` // of a message, its commitment
}

const doing: Record<ProofStatus, string> = {
  pending_pin: 'pinning the receipt to IPFS',
  pending_onchain: 'publishing the event and waiting for its confirmations',
  complete: 'finished',
  pin_failed: 'waiting for an operator',
  onchain_failed: 'waiting for an operator',
}

export type TrackedProof = ReturnType<typeof trackProof>
