import type { ProofProgress } from '@perigee/core/workflow'
import type { StepFailure } from './failures.js'

/** Current details for the Temporal UI (Markdown): which proof, what it is doing, since when; if stuck, why, and what to do. */
export function describeProof(progress: ProofProgress, doing: string, failure: StepFailure | null = null): string {
  const lines = [`**${progress.status}** since ${progress.since}: ${doing}`, `Proof \`${progress.slug}\``]
  if (progress.ipfsCid) lines.push(`Receipt \`${progress.ipfsCid}\``)
  if (progress.onchainTxHash) {
    lines.push(`Event in \`${progress.onchainTxHash}\`, block ${progress.onchainBlockNumber ?? 'unknown'}`)
  }
  if (failure) {
    lines.push(`Last error \`${failure.code}\`: ${failure.message}`, `What to do: ${advice(progress, failure)}`)
  }
  return lines.join('\n\n')
}

function advice({ status }: ProofProgress, { code }: StepFailure): string {
  const then = 'then send the Update `retryPublish` (or `abandonPublish` to give up). See temporal/RUNBOOK.md.'
  switch (code) {
    case 'pin_unavailable':
      return `bring the IPFS nodes back, ${then}`
    case 'pin_rejected':
      return `see why the IPFS nodes refuse (rights to the RPC, block size), ${then}`
    case 'cid_mismatch':
      return `an IPFS node answers with wrong bytes: take it out of IPFS_API_URLS, ${then}`
    case 'chain_unavailable':
      return `check CHAIN_RPC_URLS, ${then}`
    case 'publisher_balance_low':
      return `fund the publishing account, ${then}`
    case 'publish_reverted':
      return `check that the publishing account is a publisher of the contract at CONTRACT_ADDRESS, ${then}`
    case 'publish_unconfirmed':
      return `look at the publisher's transaction on the chain (fees, nonce), ${then}`
    default:
      return status === 'pin_failed'
        ? `read the worker's log for this proof, ${then}`
        : `read the worker's log, ${then}`
  }
}
