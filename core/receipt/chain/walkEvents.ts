import type { Hex } from '../../bytes/index.js'
import { readLogs, unusable, type PublishedLog, type Rpc } from './readLogs.js'
import { walkBlocks, type BlockRange, type BlockWalk } from './walkBlocks.js'

const mostLogs = 10_000

export interface Walk extends BlockWalk {
  /** Any of them, when there are several. */
  contract: Hex | readonly Hex[]
  /** Every wallet when left out. */
  wallet?: Hex
  /** Every hash when left out. */
  txHash?: readonly Hex[]
}

/** One window of blocks, and the contract's events in it, oldest first. */
export interface EventWindow {
  toBlock: number
  logs: PublishedLog[]
}

/** The contract's events, window by window; see `walkBlocks`. */
export async function* walkEvents(rpc: Rpc, { signal, onProgress, ...filter }: Walk): AsyncGenerator<EventWindow> {
  const read = async (range: BlockRange) => {
    const logs = await readLogs(rpc, { ...filter, ...range }, mostLogs)
    refuseDisorder(logs, range)
    return logs
  }
  for await (const { toBlock, found } of walkBlocks({ ...filter, signal, onProgress }, read)) {
    yield { toBlock, logs: found }
  }
}

function refuseDisorder(logs: readonly PublishedLog[], { fromBlock, toBlock }: BlockRange): void {
  let last = fromBlock
  for (const { blockNumber } of logs) {
    if (blockNumber < last || blockNumber > toBlock) throw unusable('a log outside the blocks that were asked for')
    last = blockNumber
  }
}
