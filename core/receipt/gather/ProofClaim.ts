import { z } from 'zod'
import { hexOf } from '../../bytes/hexSchema.js'
import { canonicalJson } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { subjectOf } from '../subjectOf.js'
import type { AnyReceipt } from '../AnyReceipt.js'
import { canonicalText } from '../schema/parseReceipt.js'
import type { PublishedEvent } from '../verify/index.js'

const claimSchema = z.object({
  slug: z.string(),
  kind: z.enum(['transaction', 'birth', 'message']),
  txHash: hexOf(32),
  chainId: z.int(),
  walletAddress: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  status: z.string().max(40),
  ipfsCid: z.string().nullable(),
  onchainTxHash: hexOf(32).nullable(),
  onchainBlockNumber: z.int().nonnegative().nullable(),
  receipt: z.unknown().optional(),
})

/** What the service says about a proof. It tells where to look, and is compared with what is found there. */
export type ProofClaim = z.infer<typeof claimSchema> & { ipfsCid: string }

/** Takes the service's answer for a slug. Throws `service_unavailable`, `claim_mismatch` or `evidence_missing`. */
export function parseProofClaim(answer: unknown, slug: string): ProofClaim {
  const result = claimSchema.safeParse(answer)
  if (!result.success) throw new ServiceError('service_unavailable', 'the service’s answer is not a proof')
  const claim = result.data
  const { ipfsCid, status } = claim
  same('slug', claim.slug, slug)
  if (ipfsCid === null) {
    throw new ServiceError('evidence_missing', `the receipt is not published yet: ${status}`, { status })
  }
  return { ...claim, ipfsCid }
}

/** Throws `claim_mismatch` unless the receipt is the one the service talks about and, where it does, shows. */
export function compareReceipt(claim: ProofClaim, receipt: AnyReceipt): void {
  const found = subjectOf(receipt)
  same('kind', claim.kind, found.kind)
  same('transaction', claim.txHash, found.txHash)
  same('wallet', claim.walletAddress.toLowerCase(), found.wallet)
  same('chain', claim.chainId, found.chainId)
  if (claim.receipt === null || claim.receipt === undefined) return // it does not show one
  if (canonicalText(claim.receipt) !== canonicalJson(receipt)) {
    throw new ServiceError('claim_mismatch', 'the service shows another receipt than its CID names')
  }
}

/** Throws `claim_mismatch` when events were found, but not in the transaction and block the service names. */
export function compareEvents(claim: ProofClaim, events: readonly PublishedEvent[]): void {
  const { onchainTxHash, onchainBlockNumber } = claim
  if (onchainTxHash === null || events.length === 0) return
  const event = events.find(({ transactionHash }) => transactionHash === onchainTxHash) ?? events[0]
  same('event transaction', onchainTxHash, event?.transactionHash)
  if (onchainBlockNumber !== null) same('event block', onchainBlockNumber, event?.blockNumber)
}

function same(what: string, claimed: string | number, found: string | number | undefined): void {
  if (claimed === found) return
  const facts = { claimed, found: found ?? null }
  throw new ServiceError('claim_mismatch', `the service names ${what} ${claimed}, but ${found} was found`, facts)
}
