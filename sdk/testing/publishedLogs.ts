import { decodeFunctionData, encodeAbiParameters, encodeEventTopics, parseAbi, type Hex } from 'viem'

// Written out again: the published package may not import core.
const abi = parseAbi([
  'function publish(address wallet, bytes32 txHash, string ipfsCid)',
  'event AttestationPublished(address indexed wallet, bytes32 indexed txHash, string ipfsCid)',
])

/** What `eth_getLogs` is asked for. */
export interface LogFilter {
  address?: string
  topics?: (string | null)[]
  fromBlock?: Hex | 'latest' | 'earliest'
  toBlock?: Hex | 'latest'
}

/** The event of a call of `publish`, as the contract would emit it; null for every other call. */
export function publishedLog(to: Hex, input: Hex): { address: Hex; topics: string[]; data: Hex } | null {
  try {
    const [wallet, txHash, ipfsCid] = decodeFunctionData({ abi, data: input }).args
    const topics = encodeEventTopics({ abi, eventName: 'AttestationPublished', args: { wallet, txHash } }) as string[]
    return { address: to, topics, data: encodeAbiParameters([{ type: 'string' }], [ipfsCid]) }
  } catch {
    return null
  }
}

/** Whether a log is among those asked for: by address, by block, and topic by topic. */
export function matches(log: { address: string; topics: string[] }, block: number, filter: LogFilter): boolean {
  const number = (tag: string | undefined, otherwise: number) => (tag?.startsWith('0x') ? Number(tag) : otherwise)
  return (
    (filter.address === undefined || filter.address.toLowerCase() === log.address.toLowerCase()) &&
    block >= number(filter.fromBlock, 0) &&
    block <= number(filter.toBlock, Infinity) &&
    (filter.topics ?? []).every((topic, index) => topic === null || topic === log.topics[index])
  )
}
