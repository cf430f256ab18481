import type { Hex } from '../../bytes/index.js'
import type { PublishedEvent } from '../verify/index.js'
import { quantity, unusable, type PublishedLog, type Rpc } from './readLogs.js'
import { parseNumber, readHead } from './readNumber.js'
import type { BlockWalk } from './walkBlocks.js'
import { walkEvents } from './walkEvents.js'

/** A transaction has one event, or a few when it was published again. */
const mostEvents = 100

export interface EventQuery extends Pick<BlockWalk, 'fromBlock' | 'signal' | 'onProgress'> {
  chainId: number
  contract: Hex
  /** One search finds the events of several. */
  txHashes: readonly Hex[]
}

/** Every event of the contract for these hashes, with its block's time and confirmations, as this node reports them. */
export async function readEvents(rpc: Rpc, query: EventQuery): Promise<PublishedEvent[]> {
  const { chainId, contract, txHashes, fromBlock, signal, onProgress } = query
  const latest = await readHead(rpc)
  const logs: PublishedLog[] = []
  const walk = { contract, txHash: txHashes, fromBlock, toBlock: latest, signal, onProgress }
  for await (const { found } of walkEvents(rpc, walk)) {
    logs.push(...found)
    if (logs.length > mostEvents * txHashes.length) throw unusable('too many events for one transaction')
  }
  const events: PublishedEvent[] = []
  for (const log of logs) events.push(await withBlock(rpc, log, chainId, latest))
  return events
}

/** A log with its block's time. Refuses a log whose block the node does not have in its chain. */
export async function withBlock(rpc: Rpc, log: PublishedLog, chainId: number, latest: number): Promise<PublishedEvent> {
  const { blockHash, ...rest } = log
  const method = 'eth_getBlockByNumber'
  const block = (await rpc(method, [quantity(log.blockNumber), false])) as Record<string, unknown> | null
  if (block === null || block.hash !== blockHash) throw unusable('a log of a block that is not in its chain')
  return {
    ...rest,
    chainId,
    blockTimestamp: parseNumber(block.timestamp, method),
    confirmations: latest - log.blockNumber + 1,
  }
}
