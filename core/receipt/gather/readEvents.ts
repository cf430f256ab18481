import type { Hex } from '../../bytes/index.js'
import type { PublishedEvent } from '../verify/index.js'
import { quantity, readLogs, unusable, type PublishedLog, type Rpc } from './readLogs.js'

/** A transaction has one event, or a few when it was published again. */
const mostEvents = 100

export interface EventQuery {
  chainId: number
  contract: Hex
  txHash: Hex
  fromBlock: number
}

/** The chain a node serves. */
export async function readChainId(rpc: Rpc): Promise<number> {
  return Number(await rpc('eth_chainId', []))
}

/** Every event of the contract for a transaction, with its block's time and confirmations, as this node reports them. */
export async function readEvents(rpc: Rpc, query: EventQuery): Promise<PublishedEvent[]> {
  const { chainId, ...filter } = query
  const logs = await readLogs(rpc, filter, mostEvents)
  const latest = Number(await rpc('eth_blockNumber', []))
  const events: PublishedEvent[] = []
  for (const log of logs) events.push(await withBlock(rpc, log, chainId, latest))
  return events
}

/** A log with its block's time. Refuses a log whose block the node does not have in its chain. */
export async function withBlock(rpc: Rpc, log: PublishedLog, chainId: number, latest: number): Promise<PublishedEvent> {
  const { blockHash, ...rest } = log
  const block = (await rpc('eth_getBlockByNumber', [quantity(log.blockNumber), false])) as Record<
    string,
    unknown
  > | null
  if (block === null || block.hash !== blockHash) throw unusable('a log of a block that is not in its chain')
  return {
    ...rest,
    chainId,
    blockTimestamp: Number(block.timestamp),
    confirmations: latest - log.blockNumber + 1,
  }
}
