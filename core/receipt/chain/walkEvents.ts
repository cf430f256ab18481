import type { Hex } from '../../bytes/index.js'
import { readLogs, unusable, type PublishedLog, type Rpc } from './readLogs.js'
import { walkBlocks, type BlockRange, type BlockWalk, type Window } from './walkBlocks.js'

const mostLogs = 10_000

export interface Walk extends BlockWalk {
  /** Any of them, when there are several. */
  contract: Hex | readonly Hex[]
  /** Every wallet when left out. */
  wallet?: Hex
  /** Every hash when left out. */
  txHash?: readonly Hex[]
}

/** The contract's events, oldest first, window by window; see `walkBlocks`. */
export function walkEvents(rpc: Rpc, { signal, onProgress, ...filter }: Walk): AsyncGenerator<Window<PublishedLog[]>> {
  return walkBlocks({ ...filter, signal, onProgress }, async (range) => {
    const logs = await readLogs(rpc, { ...filter, ...range }, mostLogs)
    refuseDisorder(logs, range)
    return logs
  })
}

function refuseDisorder(logs: readonly PublishedLog[], { fromBlock, toBlock }: BlockRange): void {
  let last = fromBlock
  for (const { blockNumber } of logs) {
    if (blockNumber < last || blockNumber > toBlock) throw unusable('a log outside the blocks that were asked for')
    last = blockNumber
  }
}
