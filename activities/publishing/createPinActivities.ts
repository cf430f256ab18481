import { setMaxListeners } from 'node:events'
import { cancellationSignal, log } from '@temporalio/activity'
import type { DataSource } from 'typeorm'
import { cidOf, ServiceError } from '@perigee/core'
import { loadBundle, loadProofRecord, markPinned, pinnedNodes, recordPins } from '../../database/index.js'
import { assembleReceipt } from './assembleReceipt.js'
import type { Gateway } from '../../clients/ipfs/createGateway.js'
import type { PinningNode } from '../../clients/ipfs/PinningNode.js'
import { pinEverywhere } from '../../clients/ipfs/pinEverywhere.js'
import { repairNode } from '../../clients/ipfs/repairNode.js'
import { sha256 } from '../../clients/ipfs/sha256.js'
import { createPublishingMeter, type PublishingMeter } from '../../clients/PublishingMeter.js'
import { whileHeartbeating } from './whileHeartbeating.js'

export interface PinDeps {
  database: DataSource
  nodes: readonly PinningNode[]
  /** On how many of them a block must be seen before it counts as pinned. */
  required: number
  /** Where a receipt must be seen, too, before it counts. */
  publicGateway?: Gateway | undefined
  meter?: PublishingMeter
}

export interface PinRepair {
  held: number
  /** Blocks that too few nodes hold. */
  short: string[]
  /** Nodes that took nothing. */
  failing: string[]
}

export function createPinActivities(deps: PinDeps) {
  const { database, nodes, required, publicGateway, meter = createPublishingMeter() } = deps

  /** A few: a bundle serves for days. That it stays pinned is the sweep's work. */
  const seenPinned = new Set<string>()

  /** The nodes that hold it, to be recorded. */
  async function pin(cid: string, bytes: Uint8Array): Promise<string[]> {
    const outcomes = await pinEverywhere(nodes, required, cid, bytes, cancellationSignal())
    const held = outcomes.filter(({ outcome }) => outcome === 'held').map(({ node }) => node)
    for (const { node, outcome } of outcomes) meter.pinned(node, outcome)
    if (held.length < nodes.length) {
      const lacking = outcomes.filter(({ outcome }) => outcome !== 'held').map((one) => `${one.node}: ${one.outcome}`)
      log.warn('a block is on enough IPFS nodes, but not on all; the sweep will try again', { cid, lacking })
    }
    return held
  }

  /** Collateral and trust anchors are shared by many receipts: pinned once. */
  async function pinBundle(cid: string): Promise<void> {
    if (seenPinned.has(cid)) return
    if ((await pinnedNodes(database, cid)).length < required) {
      await recordPins(database, cid, await pin(cid, (await loadBundle(database, cid)).bytes))
    }
    seenPinned.add(cid)
  }

  async function pinProof(slug: string): Promise<string> {
    const record = await loadProofRecord(database, slug)
    if (!record) throw new ServiceError('proof_not_found', 'there is no such proof')
    const { publication, attestation } = record
    if (publication.cid) return publication.cid
    const receipt = assembleReceipt(record)
    const bytes = new TextEncoder().encode(receipt)
    const cid = cidOf(bytes, sha256)
    // What a receipt names must be there before the receipt is.
    await pinBundle(attestation.collateralCid)
    await pinBundle(attestation.trustAnchorsCid)
    const held = await pin(cid, bytes)
    await publicGateway?.see(cid, cancellationSignal())
    await markPinned(database, slug, { cid, receipt, nodes: held })
    return cid
  }

  return {
    /**
     * Puts blocks that a node has never shown, or not for long, on it again, which costs a node that still has one
     * nothing; a node that lost its pin, or was away, has it back. Safe to retry.
     */
    repairPins: ({ olderThanSeconds, limit }: { olderThanSeconds: number; limit: number }): Promise<PinRepair> =>
      whileHeartbeating(async () => {
        const signal = cancellationSignal()
        setMaxListeners(0, signal) // many requests at once end with it, and more than ten would be taken for a leak
        const repairs = await Promise.all(
          nodes.map((node) => repairNode({ database, node, olderThanSeconds, limit, meter, signal })),
        )
        const lacking = new Map<string, number>()
        for (const cid of repairs.flatMap(({ failed }) => failed)) lacking.set(cid, (lacking.get(cid) ?? 0) + 1)
        const short = [...lacking].filter(([, missing]) => nodes.length - missing < required).map(([cid]) => cid)
        const seen = new Set(repairs.flatMap(({ held }) => held))
        return {
          held: [...seen].filter((cid) => !short.includes(cid)).length,
          short,
          failing: repairs.filter(({ isFailing }) => isFailing).map(({ node }) => node),
        }
      }),

    /** Safe to retry: the bytes come from the record, so every attempt pins the same block under the same CID. */
    pinReceipt: ({ slug }: { slug: string }): Promise<{ cid: string }> =>
      whileHeartbeating(async () => ({ cid: await pinProof(slug) })),
  }
}

export type PinActivities = ReturnType<typeof createPinActivities>
