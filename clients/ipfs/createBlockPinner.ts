import type { Logger } from '@temporalio/common'
import { LRUCache } from 'lru-cache'
import type { DataSource } from 'typeorm'
import { loadBundle, pinnedNodes, recordPins } from '../../database/index.js'
import type { PublishingMeter } from '../createPublishingMeter.js'
import { pinEverywhere } from './pinEverywhere.js'
import type { PinningNode } from './PinningNode.js'

export interface PinnerDeps {
  database: DataSource
  nodes: readonly PinningNode[]
  /** The number of nodes that must hold a block before it counts as pinned. */
  required: number
  meter: PublishingMeter
}

/** Pins blocks on enough nodes. */
export function createBlockPinner({ database, nodes, required, meter }: PinnerDeps, log: Pick<Logger, 'warn'>) {
  /** A bundle serves for days, so few are in use. Keeping it pinned is the work of `repairPins`. */
  const pinnedBundles = new LRUCache<string, true>({ max: 1_000 })

  /** Returns the nodes that hold it, to be recorded. */
  async function pinBlock(cid: string, bytes: Uint8Array, signal: AbortSignal): Promise<string[]> {
    const outcomes = await pinEverywhere(nodes, required, cid, bytes, signal)
    for (const { node, outcome } of outcomes) meter.pinned(node, outcome)
    const lacking = outcomes
      .filter(({ outcome }) => outcome !== 'held')
      .map(({ node, outcome }) => `${node}: ${outcome}`)
    if (lacking.length > 0) {
      log.warn('a block is on enough IPFS nodes, but not on all; repairPins will try again', { cid, lacking })
    }
    return outcomes.filter(({ outcome }) => outcome === 'held').map(({ node }) => node)
  }

  /** Collateral and trust anchors are shared by many receipts: pinned once. */
  async function pinBundle(cid: string, signal: AbortSignal): Promise<void> {
    if (pinnedBundles.has(cid)) return
    const holders = await pinnedNodes(database, cid)
    // A node that is no longer configured may be gone, so it does not count.
    if (nodes.filter(({ name }) => holders.includes(name)).length < required) {
      const { bytes } = await loadBundle(database, cid)
      await recordPins(database, cid, await pinBlock(cid, bytes, signal))
    }
    pinnedBundles.set(cid, true)
  }

  return { pinBlock, pinBundle }
}
