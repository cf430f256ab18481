import type { TransactionReceipt } from 'viem'
import { ServiceError } from '@perigee/core'
import {
  findSlotOf,
  markComplete,
  type NewSlot,
  type OnchainPlace,
  type WaitingProof,
} from '../../../database/index.js'
import { tolerateOutage } from '../../concurrency/tolerateOutage.js'
import { createSlotClaims, isLive } from './createSlotClaims.js'
import type { PublishingDeps, SlotResolver } from './createSlotResolver.js'

/** Publishes one proof: claims a slot for it, follows that to the configured depth, and marks the proof complete. */
export function createProofPublisher(deps: PublishingDeps, { followSlot, mayLeave }: SlotResolver) {
  const { database, chain } = deps
  const claimSlot = createSlotClaims(deps)

  async function reachDepth(proof: WaitingProof, signal: AbortSignal): Promise<OnchainPlace> {
    const tolerant = tolerateOutage(chain.config.maxOutageMs)
    for (;;) {
      let slot: NewSlot | null = await findSlotOf(database, proof.slug)
      if (!slot || !isLive(slot)) {
        if (slot && !(await mayLeave(slot, tolerant, signal))) continue
        const claimed = await claimSlot(proof, slot?.id ?? null, signal)
        if (!claimed) continue
        if ('place' in claimed) return claimed.place
        slot = claimed.slot
      }
      const end = await followSlot(slot, signal)
      if (end !== 'lost') return eventOf(end, proof)
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
