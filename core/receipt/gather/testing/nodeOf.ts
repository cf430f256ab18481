import { encodeAbiParameters, encodeEventTopics } from 'viem'
import { ServiceError } from '../../../errors/index.js'
import { attestationPublished } from '../../../proof/attestationPublished.js'
import { releaseAnnounced, releaseWithdrawn, type ReleaseAnnouncement } from '../../../releases/index.js'
import type { PublishedEvent } from '../../verify/index.js'
import { quantity, type Rpc } from '../../chain/readLogs.js'

interface Filter {
  address: string | string[]
  topics: (string | string[] | null)[]
  fromBlock: string
  toBlock?: string
}

const blockHash = `0x${'0c'.repeat(32)}`

export interface NodeOptions {
  maxRange?: number
  releases?: readonly ReleaseAnnouncement[]
  /** Hashes of the transactions that the chain has included. Any wallet has sent this many. */
  sent?: readonly string[]
}

/** A node that holds these events and filters them by address, topic and block as eth_getLogs does, oldest first. */
export function nodeOf(
  events: readonly PublishedEvent[],
  { maxRange = Infinity, releases = [], sent = [] }: NodeOptions = {},
): Rpc {
  const latest = Math.max(0, ...events.map((event) => event.blockNumber + event.confirmations - 1))
  const logs = [...releases.map(logOfRelease), ...events.map(logOfEvent)].sort(
    (a, b) => Number(a.blockNumber) - Number(b.blockNumber),
  )
  const getLogs = (filter: Filter) => {
    const toBlock = (filter.toBlock ?? 'latest') === 'latest' ? latest : Number(filter.toBlock)
    if (toBlock - Number(filter.fromBlock) > maxRange) {
      throw new ServiceError('chain_unavailable', 'block range too large')
    }
    return logs
      .filter((log) => [filter.address].flat().includes(log.address))
      .filter(({ blockNumber: at }) => Number(at) >= Number(filter.fromBlock) && Number(at) <= toBlock)
      .filter((log) => filter.topics.every((topic, index) => topic === null || [topic].flat().includes(log.topics[index] ?? ''))) // prettier-ignore
  }
  return async (method, params) => {
    if (method === 'eth_chainId') return quantity(events[0]?.chainId ?? 31337)
    if (method === 'eth_blockNumber') return quantity(latest)
    if (method === 'eth_getLogs') return getLogs(params[0] as Filter)
    if (method === 'eth_getTransactionCount') return quantity(sent.length)
    if (method === 'eth_getTransactionByHash') {
      return sent.includes(String(params[0])) ? { hash: params[0], blockNumber: '0x1' } : null
    }
    if (method !== 'eth_getBlockByNumber') throw new ServiceError('chain_unavailable', `unknown method ${method}`)
    const event = events.find(({ blockNumber }) => quantity(blockNumber) === params[0]) ?? events[0]
    return { hash: blockHash, timestamp: quantity(event?.blockTimestamp ?? 0) }
  }
}

function logAt(event: { contract: string; blockNumber: number }, topics: unknown, data: string) {
  const blockNumber = quantity(event.blockNumber)
  return { address: event.contract, topics: topics as string[], data, blockNumber, blockHash, removed: false }
}

function logOfEvent(event: PublishedEvent) {
  const topics = encodeEventTopics({ abi: [attestationPublished], args: event })
  const data = encodeAbiParameters([{ type: 'string' }], [event.ipfsCid])
  return { ...logAt(event, topics, data), transactionHash: event.transactionHash, logIndex: '0x0' }
}

function logOfRelease(event: ReleaseAnnouncement) {
  const args = { version: BigInt(event.version) }
  const log =
    event.kind === 'announced'
      ? logAt(event, encodeEventTopics({ abi: [releaseAnnounced], args }), announcementData(event))
      : logAt(event, encodeEventTopics({ abi: [releaseWithdrawn], args }), '0x')
  return { ...log, transactionHash: `0x${'0d'.repeat(32)}`, logIndex: quantity(event.logIndex) }
}

const announcementData = ({ sha256, cid }: Extract<ReleaseAnnouncement, { kind: 'announced' }>) =>
  encodeAbiParameters([{ type: 'bytes32' }, { type: 'string' }], [sha256, cid])
