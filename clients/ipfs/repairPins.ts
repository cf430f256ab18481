import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { ServiceError } from '@perigee/core'
import { recordPins, stalePins } from '../../database/index.js'
import { inParallel } from '../concurrency/inParallel.js'
import type { PinnerDeps } from './createBlockPinner.js'
import type { PinningNode } from './PinningNode.js'

export interface RepairInput {
  /** Blocks that a node has not shown for this long. */
  olderThanSeconds: number
  limit: number
}

export interface PinRepair {
  held: number
  /** Blocks that too few nodes hold. */
  short: string[]
  /** Nodes that left requests unanswered and took nothing. Blocks that a node refuses count only if too few others hold them. */
  failing: string[]
}

const blocksAtOnce = 8
/**
 * After this many requests in a row without an answer a node is skipped until the next run, so that one that is down costs no
 * minutes. A block that it refuses does not count: it would hide the others.
 */
const maxUnansweredInARow = 8

/** Puts blocks that a node has not shown for long on it again. A node that still has a block does nothing. */
export async function repairPins(deps: PinnerDeps, input: RepairInput, signal: AbortSignal): Promise<PinRepair> {
  const { nodes, required } = deps
  setMaxListeners(0, signal) // many requests share it, and Node takes more than ten listeners for a leak
  const lot = randomUUID() // one for all nodes: a block that none of them holds is then drawn for each, and found short
  const repairs = await Promise.all(nodes.map((node) => repairNode(deps, node, { ...input, lot }, signal)))
  const lacking = new Map<string, number>()
  for (const cid of repairs.flatMap(({ failed }) => failed)) lacking.set(cid, (lacking.get(cid) ?? 0) + 1)
  const short = [...lacking].filter(([, missing]) => nodes.length - missing < required).map(([cid]) => cid)
  const seen = new Set(repairs.flatMap(({ held }) => held))
  const failing = repairs.filter(({ held, unanswered }) => unanswered > 0 && held.length === 0).map(({ node }) => node)
  return { held: [...seen].filter((cid) => !short.includes(cid)).length, short, failing }
}

async function repairNode(
  { database, meter }: PinnerDeps,
  node: PinningNode,
  { olderThanSeconds, limit, lot }: RepairInput & { lot: string },
  signal: AbortSignal,
) {
  const [held, failed]: [string[], string[]] = [[], []]
  let [unanswered, unansweredInARow] = [0, 0]
  const blocks = await stalePins(database, node.name, olderThanSeconds, limit, lot)
  await inParallel(blocksAtOnce, blocks, async ({ cid, bytes }) => {
    if (unansweredInARow >= maxUnansweredInARow || signal.aborted) return void failed.push(cid)
    try {
      await node.pin(cid, bytes, signal)
      await recordPins(database, cid, [node.name])
      held.push(cid)
      meter.pinned(node.name, 'held')
      unansweredInARow = 0
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      meter.pinned(node.name, error.code)
      failed.push(cid) // one bad block must not hide the others
      const isUnanswered = error.code === 'pin_unavailable'
      unansweredInARow = isUnanswered ? unansweredInARow + 1 : 0
      if (isUnanswered) unanswered++
    }
  })
  return { node: node.name, held, failed, unanswered }
}
