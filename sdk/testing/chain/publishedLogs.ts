import { decodeFunctionData, encodeAbiParameters, encodeEventTopics, parseAbi, type Hex } from 'viem'

// Written out again: the published package may not import core.
const abi = parseAbi([
  'function publish(address wallet, bytes32 txHash, string ipfsCid)',
  'event AttestationPublished(address indexed wallet, bytes32 indexed txHash, string ipfsCid)',
  'function announce(uint64 version, bytes32 sha256, string cid)',
  'event ReleaseAnnounced(uint64 indexed version, bytes32 sha256, string cid)',
])

/** What `eth_getLogs` is asked for. */
export interface LogFilter {
  address?: string | string[]
  topics?: (string | string[] | null)[]
  fromBlock?: Hex | 'latest' | 'earliest'
  toBlock?: Hex | 'latest'
}

/** The event of a call of `publish` or `announce`, as the contracts would emit it; null for every other call. */
export function publishedLog(to: Hex, input: Hex): { address: Hex; topics: string[]; data: Hex } | null {
  try {
    const call = decodeFunctionData({ abi, data: input })
    if (call.functionName === 'announce') {
      const [version, sha256, cid] = call.args
      const topics = encodeEventTopics({ abi, eventName: 'ReleaseAnnounced', args: { version } }) as string[]
      return {
        address: to,
        topics,
        data: encodeAbiParameters([{ type: 'bytes32' }, { type: 'string' }], [sha256, cid]),
      }
    }
    const [wallet, txHash, ipfsCid] = call.args
    const topics = encodeEventTopics({ abi, eventName: 'AttestationPublished', args: { wallet, txHash } }) as string[]
    return { address: to, topics, data: encodeAbiParameters([{ type: 'string' }], [ipfsCid]) }
  } catch {
    return null
  }
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** Whether a log is among those asked for: by address, by block, and topic by topic. */
export function matches(log: { address: string; topics: string[] }, block: number, filter: LogFilter): boolean {
  const number = (tag: string | undefined, otherwise: number) => (tag?.startsWith('0x') ? Number(tag) : otherwise)
  return (
    (filter.address === undefined || [filter.address].flat().some((one) => isSame(one, log.address))) &&
    block >= number(filter.fromBlock, 0) &&
    block <= number(filter.toBlock, Infinity) &&
    (filter.topics ?? []).every((topic, index) => topic === null || [topic].flat().includes(log.topics[index] ?? ''))
  )
}
