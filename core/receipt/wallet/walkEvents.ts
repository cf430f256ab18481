import type { Hex } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { readLogs, unusable, type PublishedLog, type Rpc } from '../gather/readLogs.js'

/** No node that serves anyone refuses a range this short for its length. */
const smallestWindow = 64
const mostLogs = 10_000
/** After so many windows in a row the next ones are twice as long. */
const windowsToGrow = 8

export interface Walk {
  contract: Hex
  /** Every wallet when left out. */
  wallet?: Hex
  fromBlock: number
  toBlock: number
}

/** One window of blocks, and the contract's events in it, oldest first. */
export interface Window {
  toBlock: number
  logs: PublishedLog[]
}

/**
 * The contract's events, window by window. It tries all blocks at once and halves the window whenever the node refuses,
 * because public nodes limit ranges and answers. Throws `chain_unavailable` when even a short window is refused.
 */
export async function* walkEvents(rpc: Rpc, walk: Walk): AsyncGenerator<Window> {
  let size = walk.toBlock - walk.fromBlock + 1
  let inARow = 0
  let fromBlock = walk.fromBlock
  while (fromBlock <= walk.toBlock) {
    const toBlock = Math.min(walk.toBlock, fromBlock + size - 1)
    let logs: PublishedLog[]
    try {
      logs = await readLogs(rpc, { ...walk, fromBlock, toBlock }, mostLogs)
    } catch (error) {
      const length = toBlock - fromBlock + 1
      if (!(error instanceof ServiceError) || length <= smallestWindow) throw error
      size = Math.ceil(length / 2)
      inARow = 0
      continue
    }
    refuseDisorder(logs, fromBlock, toBlock)
    yield { toBlock, logs }
    fromBlock = toBlock + 1
    inARow += 1
    if (inARow % windowsToGrow === 0) size *= 2
  }
}

function refuseDisorder(logs: readonly PublishedLog[], fromBlock: number, toBlock: number): void {
  let last = fromBlock
  for (const { blockNumber } of logs) {
    if (blockNumber < last || blockNumber > toBlock) throw unusable('a log outside the blocks that were asked for')
    last = blockNumber
  }
}
