import type { Logger } from '@temporalio/common'
import type { Hex } from '@perigee/core'
import { findOpenSlots, findSenders, markRepaired, recentBlocks, reopenBlock } from '../../../database/index.js'
import { inParallel } from '../../concurrency/inParallel.js'
import type { PublishingDeps, SlotResolver } from './createSlotResolver.js'

/** Open slots of a key that one run resolves. */
const slotsPerRun = 200
const blocksAtOnce = 8
const slotsAtOnce = 4

/**
 * After this time neither part starts on another block or slot, so that both end within the activity's four minutes
 * (workflows/publishing/publishingBudgets.ts) when an RPC hangs. The next run goes on.
 */
const partMs = 60_000

/** Finds proofs whose block a reorg took, and keeps every key's queue moving. */
export function createReorgWatch({ database, chain, publisher, meter }: PublishingDeps, { resolveSlot }: SlotResolver) {
  const { config } = chain

  /** Each step is tried: a key that cannot pay for its next transaction still closes those that are mined. */
  async function serveKey(sender: Hex, log: Pick<Logger, 'warn'>): Promise<void> {
    const until = Date.now() + partMs
    const errors: unknown[] = []
    const attempt = async (step: () => Promise<unknown>) => {
      await step().catch((error: unknown) => errors.push(error))
    }
    const open = await findOpenSlots(database, config.chainId, sender, slotsPerRun)
    await inParallel(slotsAtOnce, open, async (slot) => {
      if (Date.now() < until) await attempt(() => resolveSlot(slot))
    })
    await attempt(() => publisher.rebroadcast(sender))
    if (errors.length === 0) return
    const facts = { sender, failures: errors.length, error: errors[0] }
    log.warn('the transactions of a publishing key could not all be resolved and rebroadcast', facts)
  }

  return {
    /** Reopens complete proofs of the last `seconds`, and down to the configured depth, whose block was reorged. */
    async reopenReorged(seconds: number, log: Pick<Logger, 'warn'>): Promise<string[]> {
      const until = Date.now() + partMs
      const reopened: string[] = []
      let unchecked = 0
      const fromBlock = Number(await chain.head()) - config.reorgDepth
      const blocks = await recentBlocks(database, config.chainId, { seconds, fromBlock })
      await inParallel(blocksAtOnce, blocks, async ({ blockNumber, blockHash }) => {
        if (Date.now() >= until) return void unchecked++
        if (!(await chain.isReorged(BigInt(blockNumber), blockHash))) return
        const slugs = await reopenBlock(database, blockHash)
        meter.reorged(slugs.length)
        reopened.push(...slugs)
      })
      if (unchecked === 0) await markRepaired(database, 'chain')
      else log.warn('the RPCs are too slow: older blocks were not looked for', { unchecked })
      return reopened
    },

    /**
     * Resolves and rebroadcasts what is in flight, in case the workers that followed it are dead. Also for keys that were
     * rotated away: sending a signed transaction again needs no key.
     */
    async rebroadcastAll(log: Pick<Logger, 'warn'>): Promise<void> {
      const senders = new Set([...publisher.senders, ...(await findSenders(database, config.chainId, 'open'))])
      await Promise.all([...senders].map((sender) => serveKey(sender, log)))
    },
  }
}
