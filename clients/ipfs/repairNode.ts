import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import { recordPins, stalePins } from '../../database/index.js'
import type { PublishingMeter } from '../PublishingMeter.js'
import { inParallel } from '../http/inParallel.js'
import type { PinningNode } from './PinningNode.js'

export interface NodeRepair {
  node: string
  held: string[]
  failed: string[]
  isFailing: boolean
}

interface RepairInput {
  database: DataSource
  node: PinningNode
  olderThanSeconds: number
  limit: number
  meter: PublishingMeter
  signal: AbortSignal
}

const atOnce = 8
/** After so many failures in a row the node is left alone until the next sweep: one that is away must not cost minutes. */
const patience = 8

/** Puts on one node what it should have and has not shown for long. */
export async function repairNode({ database, node, meter, signal, ...what }: RepairInput): Promise<NodeRepair> {
  const repair: NodeRepair = { node: node.name, held: [], failed: [], isFailing: false }
  let inARow = 0
  const blocks = await stalePins(database, node.name, what.olderThanSeconds, what.limit)
  await inParallel(atOnce, blocks, async ({ cid, bytes }) => {
    if (inARow >= patience || signal.aborted) return void repair.failed.push(cid)
    try {
      await node.pin(cid, bytes, signal)
      await recordPins(database, cid, [node.name])
      repair.held.push(cid)
      meter.pinned(node.name, 'held')
      inARow = 0
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      meter.pinned(node.name, error.code)
      repair.failed.push(cid) // one bad block must not hide the others
      inARow++
    }
  })
  repair.isFailing = repair.failed.length > 0 && repair.held.length === 0
  return repair
}
