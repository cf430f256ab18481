import type { ProofProgress } from '@perigee/core/workflow'
import type { StepFailure } from './failures.js'

/** Current details for the Temporal UI (Markdown): which proof, what it is doing, since when; if stuck, why, and what to do. */
export function describeProof(progress: ProofProgress, doing: string, failure: StepFailure | null = null): string {
  const { slug, status, since, ipfsCid, onchainTxHash, onchainBlockNumber } = progress
  const lines = [
    `**${status}** since ${since}: ${doing}`,
    `Proof \`${slug}\``,
    ipfsCid && `Receipt \`${ipfsCid}\``,
    onchainTxHash && `Event in \`${onchainTxHash}\`, block ${onchainBlockNumber}`,
    failure && `Last error \`${failure.code}\`: ${failure.message}`,
    failure && `What to do: ${advice[failure.code] ?? 'read the worker’s log for this proof'}, ${then}`,
  ]
  return lines.filter(Boolean).join('\n\n')
}

const then = 'then send the Update `retryPublish` (or `abandonPublish` to give up). See temporal/RUNBOOK.md.'

const advice: Record<string, string> = {
  pin_unavailable: 'bring the IPFS nodes back',
  pin_rejected: 'see why the IPFS nodes refuse (access to the RPC, block size)',
  cid_mismatch: 'an IPFS node answers with wrong bytes: take it out of IPFS_API_URLS',
  chain_unavailable: 'check CHAIN_RPC_URLS',
  publisher_balance_low: 'fund the publishing account',
  publish_reverted: 'check that the publishing account is a publisher of the contract at CONTRACT_ADDRESS',
  publish_unconfirmed: 'look at the publisher’s transaction on the chain (fees, nonce)',
}
