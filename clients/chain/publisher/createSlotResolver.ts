import type { DataSource } from 'typeorm'
import type { TransactionReceipt } from 'viem'
import { ServiceError } from '@perigee/core'
import { closeSlot, type NewSlot } from '../../../database/index.js'
import { createSingleFlight } from '../../concurrency/createSingleFlight.js'
import { tolerateOutage, type Tolerant } from '../../concurrency/tolerateOutage.js'
import { pause } from '../../concurrency/untilAborted.js'
import type { PublishingMeter } from '../../createPublishingMeter.js'
import type { Chain } from '../createChain.js'
import { hasPublished, isCancellation } from '../receipts.js'
import type { Publisher } from './createPublisher.js'

export interface PublishingDeps {
  database: DataSource
  chain: Chain
  publisher: Publisher
  meter: PublishingMeter
}

/** How a slot ended: a receipt at depth, or `lost` when another transaction has permanently used its nonce. */
type SlotEnd = TransactionReceipt | 'lost'

export function createSlotResolver({ database, chain, publisher, meter }: PublishingDeps) {
  const { config } = chain

  /** Checks a slot once, and rebroadcasts if it is in no block. Null while it has not ended. */
  async function resolveSlot(slot: NewSlot): Promise<SlotEnd | null> {
    let dispute: string | null = null
    for (const receipt of await chain.findMined(await publisher.hashesOf(slot.id))) {
      const confirmation = await chain.confirmationOf(receipt)
      if (confirmation.is === 'pending') return null
      if (confirmation.is === 'disputed') dispute = confirmation.between
      if (confirmation.is !== 'confirmed') continue
      if (isCancellation(receipt)) {
        await closeSlot(database, slot.id, 'lost', costOf(receipt))
        return 'lost'
      }
      const isPublished = hasPublished(receipt)
      const ageMs = await closeSlot(database, slot.id, isPublished ? 'confirmed' : 'reverted', costOf(receipt))
      if (slot.state === 'open' && isPublished && ageMs !== null) meter.confirmed(ageMs)
      return receipt
    }
    // In no block that surely stands. Rebroadcasting on its nonce is right whichever RPC is right.
    const mined = await publisher.rebroadcast(slot.sender)
    if (dispute !== null) throw contradiction(meter, dispute)
    if (mined <= slot.nonce || !(await publisher.isSpent(slot))) return null
    await closeSlot(database, slot.id, 'lost')
    return 'lost'
  }

  return {
    resolveSlot,

    /**
     * True once the slot's nonce is permanently used: only then may what it carried take another nonce (docs/publishing.md). Otherwise
     * reopens it, or ends it in another way, if the chain says so.
     */
    async mayLeave(slot: NewSlot, tolerant: Tolerant, signal: AbortSignal): Promise<boolean> {
      if (await tolerant(() => publisher.isSpent(slot))) return true
      await tolerant(() => resolveSlot(slot))
      await pause(config.pollMs, signal)
      return false
    },

    /** Waits for the end of a slot; the proofs of a batch share one wait. */
    followSlot: createSingleFlight<NewSlot, SlotEnd>(async (slot, signal) => {
      const tolerant = tolerateOutage(config.maxOutageMs)
      for (;;) {
        await pause(config.pollMs, signal)
        const end = await tolerant(() => resolveSlot(slot))
        if (end) return end
      }
    }),
  }
}

const costOf = ({ gasUsed, effectiveGasPrice }: TransactionReceipt): bigint => gasUsed * effectiveGasPrice

export type SlotResolver = ReturnType<typeof createSlotResolver>

/** Fails closed: believing one RPC against another could publish twice, or not at all. */
export function contradiction(meter: PublishingMeter, between: string): ServiceError {
  meter.contradicted()
  return new ServiceError('chain_contradiction', `the RPCs contradict each other (${between})`)
}
