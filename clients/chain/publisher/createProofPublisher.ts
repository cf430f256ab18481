import type { TransactionReceipt } from 'viem'
import { ServiceError } from '@perigee/core'
import {
  findSlotOf,
  markComplete,
  type OnchainPlace,
  type PublisherSlot,
  type WaitingProof,
} from '../../../database/index.js'
import { tolerateOutage } from '../../concurrency/tolerateOutage.js'
import { pause } from '../../concurrency/untilAborted.js'
import { createSlotClaims, isLive, type Claim } from './createSlotClaims.js'
import type { PublishingDeps, SlotResolver } from './createSlotResolver.js'

/** Publishes one proof: claims a slot for it, follows that to the configured depth, and marks the proof complete. */
export function createProofPublisher(deps: PublishingDeps, { resolveSlot, followSlot }: SlotResolver) {
  const { database, chain, publisher } = deps
  const claimSlot = createSlotClaims(deps)

  async function reachDepth(proof: WaitingProof, signal: AbortSignal): Promise<OnchainPlace> {
    const tolerant = tolerateOutage(chain.config.maxOutageMs)
    const findOwnSlot = () => findSlotOf(database, proof.slug)
    let slot = await findOwnSlot()
    for (;;) {
      if (slot && isLive(slot)) {
        const end = await followSlot(slot, signal)
        if (end !== 'lost') return eventOf(end, proof)
        slot = await findOwnSlot()
        continue
      }
      // It had a nonce, and may take another only when that one is permanently used: see docs/publishing.md.
      const former: PublisherSlot | null = slot
      if (former && !(await tolerant(() => publisher.isSpent(former)))) {
        await tolerant(() => resolveSlot(former)) // reopens it, or ends it in another way, if the chain says so
        await pause(chain.config.pollMs, signal)
        slot = await findOwnSlot()
        continue
      }
      const claim: Claim | null = await claimSlot(proof, former?.id ?? null, signal)
      if (claim && 'place' in claim) return claim.place
      slot = claim ? claim.slot : await findOwnSlot()
    }
  }

  function eventOf(receipt: TransactionReceipt, proof: WaitingProof): OnchainPlace {
    const place = receipt.status === 'success' ? chain.eventIn(receipt, proof) : null
    if (place) return place
    throw new ServiceError('publish_reverted', 'the publishing transaction was mined without its event', {
      transaction: receipt.transactionHash,
    })
  }

  return async (proof: WaitingProof, signal: AbortSignal): Promise<OnchainPlace> => {
    const place = await reachDepth(proof, signal)
    await markComplete(database, proof.slug, place)
    return place
  }
}
