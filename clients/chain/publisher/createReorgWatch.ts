import type { Logger } from '@temporalio/common'
import { findOpenSlots, recentBlocks, reopenBlock } from '../../../database/index.js'
import type { PublishingDeps, SlotResolver } from './createSlotResolver.js'

/** Open slots that one run resolves. */
const slotsPerRun = 200

/** Finds proofs whose block a reorg took, and keeps every key's queue moving. */
export function createReorgWatch({ database, chain, publisher, meter }: PublishingDeps, { resolveSlot }: SlotResolver) {
  const { config } = chain

  return {
    /** Reopens complete proofs of the last `seconds`, and down to the configured depth, whose block was reorged. */
    async reopenReorged(seconds: number): Promise<string[]> {
      const reopened: string[] = []
      const fromBlock = Number(await chain.head()) - config.reorgDepth
      for (const block of await recentBlocks(database, config.chainId, { seconds, fromBlock })) {
        if (!(await chain.isReorged(BigInt(block.blockNumber), block.blockHash))) continue
        reopened.push(...(await reopenBlock(database, block.blockHash)))
      }
      meter.reorged(reopened.length)
      return reopened
    },

    /** Rebroadcasts and resolves what is in flight, in case the workers that followed it are dead. */
    async rebroadcastAll(log: Pick<Logger, 'warn'>): Promise<void> {
      for (const sender of publisher.senders) {
        try {
          await publisher.closeEmpty(sender, await publisher.rebroadcast(sender))
          for (const slot of await findOpenSlots(database, config.chainId, sender, slotsPerRun)) await resolveSlot(slot)
        } catch (error) {
          log.warn('the transactions of a publishing key could not be rebroadcast', { sender, error })
        }
      }
    },
  }
}
