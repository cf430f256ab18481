import { encodeAbiParameters, encodeEventTopics } from 'viem'
import { ServiceError } from '../../../errors/index.js'
import type { PublishedEvent } from '../../verify/index.js'
import { attestationPublished } from '../../../proof/attestationPublished.js'
import { quantity, type Rpc } from '../readLogs.js'

interface Filter {
  address: string
  topics: (string | null)[]
  fromBlock: string
}

const blockHash = `0x${'0c'.repeat(32)}`

/** A node that holds these events and filters them by address, topic and block as eth_getLogs does. */
export function nodeOf(events: readonly PublishedEvent[], maxRange = Infinity): Rpc {
  const latest = Math.max(0, ...events.map((event) => event.blockNumber + event.confirmations - 1))
  const getLogs = (filter: Filter) => {
    if (latest - Number(filter.fromBlock) > maxRange) {
      throw new ServiceError('chain_unavailable', 'block range too large')
    }
    return events
      .map((event) => ({
        address: event.contract,
        topics: encodeEventTopics({ abi: [attestationPublished], args: event }),
        data: encodeAbiParameters([{ type: 'string' }], [event.ipfsCid]),
        blockNumber: quantity(event.blockNumber),
        blockHash,
        transactionHash: event.transactionHash,
        removed: false,
      }))
      .filter((log) => log.address === filter.address && Number(log.blockNumber) >= Number(filter.fromBlock))
      .filter((log) => filter.topics.every((topic, index) => topic === null || topic === log.topics[index]))
  }
  return async (method, params) => {
    if (method === 'eth_chainId') return quantity(events[0]?.chainId ?? 31337)
    if (method === 'eth_blockNumber') return quantity(latest)
    if (method === 'eth_getLogs') return getLogs(params[0] as Filter)
    if (method !== 'eth_getBlockByNumber') throw new ServiceError('chain_unavailable', `unknown method ${method}`)
    return { hash: blockHash, timestamp: quantity(events[0]?.blockTimestamp ?? 0) }
  }
}
