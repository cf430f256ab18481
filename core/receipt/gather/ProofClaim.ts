import { z } from 'zod'
import { canonicalJson, type Hex } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { subjectOf } from '../subjectOf.js'
import type { AnyReceipt, ReceiptKind } from '../AnyReceipt.js'
import type { PublishedEvent } from '../verify/index.js'

const hash = z.string().regex(/^0x[0-9a-f]{64}$/)
const claimSchema = z.object({
  slug: z.string(),
  kind: z.enum(['transaction', 'birth', 'message']),
  txHash: hash,
  chainId: z.int(),
  walletAddress: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  status: z.string().max(40),
  ipfsCid: z.string().nullable(),
  onchainTxHash: hash.nullable(),
  onchainBlockNumber: z.int().nonnegative().nullable(),
  receipt: z.unknown().optional(),
})

/** What the service says about a proof. It tells where to look, and is compared with what is found there. */
export interface ProofClaim {
  kind: ReceiptKind
  cid: string
  txHash: Hex
  chainId: number
  wallet: Hex
  /** The event's transaction and block. */
  eventTxHash: Hex | null
  eventBlock: number | null
  /** The receipt as the service shows it, if it does. */
  receipt: unknown
}

/** Takes the service's answer for a slug. Throws `service_unavailable`, `claim_mismatch` or `evidence_missing`. */
export function parseProofClaim(answer: unknown, slug: string): ProofClaim {
  const result = claimSchema.safeParse(answer)
  if (!result.success) throw new ServiceError('service_unavailable', 'the service’s answer is not a proof')
  const { ipfsCid, status, ...proof } = result.data
  same('slug', proof.slug, slug)
  if (ipfsCid === null) {
    throw new ServiceError('evidence_missing', `the receipt is not published yet: ${status}`, { status })
  }
  return {
    kind: proof.kind,
    cid: ipfsCid,
    txHash: proof.txHash as Hex,
    chainId: proof.chainId,
    wallet: proof.walletAddress.toLowerCase() as Hex,
    eventTxHash: proof.onchainTxHash as Hex | null,
    eventBlock: proof.onchainBlockNumber,
    receipt: proof.receipt ?? null,
  }
}

/** Throws `claim_mismatch` unless the receipt is the one the service talks about and, where it does, shows. */
export function compareReceipt(claim: ProofClaim, receipt: AnyReceipt): void {
  const found = subjectOf(receipt)
  same('kind', claim.kind, found.kind)
  same('transaction', claim.txHash, found.txHash)
  same('wallet', claim.wallet, found.wallet)
  same('chain', claim.chainId, found.chainId)
  if (claim.receipt === null) return
  if (canonicalText(claim.receipt) !== canonicalJson(receipt)) {
    throw new ServiceError('claim_mismatch', 'the service shows another receipt than its CID names')
  }
}

// What has no canonical form is no receipt.
function canonicalText(value: unknown): string | null {
  try {
    return canonicalJson(value)
  } catch {
    return null
  }
}

/** Throws `claim_mismatch` when events were found, but not in the transaction and block the service names. */
export function compareEvents(claim: ProofClaim, events: readonly PublishedEvent[]): void {
  if (claim.eventTxHash === null || events.length === 0) return
  const event = events.find(({ transactionHash }) => transactionHash === claim.eventTxHash) ?? events[0]
  same('event transaction', claim.eventTxHash, event?.transactionHash)
  if (claim.eventBlock !== null) same('event block', claim.eventBlock, event?.blockNumber)
}

function same(what: string, claimed: string | number, found: string | number | undefined): void {
  if (claimed === found) return
  const facts = { claimed, found: found ?? null }
  throw new ServiceError('claim_mismatch', `the service names ${what} ${claimed}, but ${found} was found`, facts)
}
