import { cancellationSignal } from '@temporalio/activity'
import type { DataSource } from 'typeorm'
import { cidOf, ServiceError } from '@perigee/core'
import { loadBundle, loadProofRecord, markPinned, pinnedNodes, recordPins, stalePins } from '../../database/index.js'
import { assembleReceipt } from './assembleReceipt.js'
import type { PinningNode } from './ipfs/PinningNode.js'
import { pinEverywhere } from './ipfs/pinEverywhere.js'
import { whileHeartbeating } from './whileHeartbeating.js'

export interface PinDeps {
  database: DataSource
  nodes: readonly PinningNode[]
  /** On how many of them a block must be seen before it counts as pinned. */
  required: number
}

export interface PinRepair {
  held: number
  short: string[]
}

export function createPinActivities({ database, nodes, required }: PinDeps) {
  async function pin(cid: string, bytes: Uint8Array): Promise<void> {
    await recordPins(database, cid, await pinEverywhere(nodes, required, cid, bytes, cancellationSignal()))
  }

  /** Collateral and trust anchors are shared by many receipts: pinned once. */
  async function pinBundle(cid: string): Promise<void> {
    if ((await pinnedNodes(database, cid)).length >= required) return
    await pin(cid, (await loadBundle(database, cid)).bytes)
  }

  return {
    /**
     * Puts blocks that were not looked at for long on every node again, which costs a node that still has one nothing;
     * a node that lost its pin has it back. Safe to retry. Returns how many blocks are on enough nodes, and on too few.
     */
    repairPins: ({ olderThanSeconds, limit }: { olderThanSeconds: number; limit: number }): Promise<PinRepair> =>
      whileHeartbeating(async () => {
        const result: PinRepair = { held: 0, short: [] }
        for (const { cid, bytes } of await stalePins(database, olderThanSeconds, limit)) {
          try {
            await pin(cid, bytes)
            result.held++
          } catch (error) {
            if (!(error instanceof ServiceError)) throw error
            result.short.push(cid) // the next sweep tries again; one bad block must not hide the others
          }
        }
        return result
      }),

    /** Safe to retry: the bytes come from the record, so every attempt pins the same block under the same CID. */
    pinReceipt: ({ slug }: { slug: string }): Promise<{ cid: string }> =>
      whileHeartbeating(async () => {
        const record = await loadProofRecord(database, slug)
        if (!record) throw new ServiceError('proof_not_found', 'there is no such proof')
        if (record.publication.cid) return { cid: record.publication.cid }
        const receipt = assembleReceipt(record)
        const bytes = new TextEncoder().encode(receipt)
        const cid = cidOf(bytes)
        // What a receipt names must be there before the receipt is.
        await pinBundle(record.attestation.collateralCid)
        await pinBundle(record.attestation.trustAnchorsCid)
        await pin(cid, bytes)
        await markPinned(database, slug, cid, receipt)
        return { cid }
      }),
  }
}

export type PinActivities = ReturnType<typeof createPinActivities>
