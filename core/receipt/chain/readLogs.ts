import { decodeEventLog, encodeEventTopics } from 'viem/utils'
import { z } from 'zod'
import type { Hex } from '../../bytes/index.js'
import { ServiceError, withCode } from '../../errors/index.js'
import { attestationPublished } from '../../proof/attestationPublished.js'
import type { PublishedEvent } from '../verify/types.js'

/** One JSON-RPC call to a node. The answer is not trusted; a call that fails throws a ServiceError. */
export type Rpc = (method: string, params: unknown[]) => Promise<unknown>

export interface LogFilter {
  /** Any of them, when there are several. */
  contract: Hex | readonly Hex[]
  wallet?: Hex
  /** Any of them, when there are several. */
  txHash?: Hex | readonly Hex[]
  fromBlock: number
  /** The newest block when left out. */
  toBlock?: number
}

/** `AttestationPublished` as a node's log shows it. */
export interface PublishedLog extends Omit<PublishedEvent, 'chainId' | 'blockTimestamp' | 'confirmations'> {
  blockHash: Hex
}

const bytes = (length: number) => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${length * 2}}$`))
export const logSchema = z.object({
  address: bytes(20),
  topics: z.array(bytes(32)).max(4),
  data: z.string().regex(/^0x[0-9a-fA-F]*$/),
  blockNumber: z.string().regex(/^0x[0-9a-f]{1,12}$/),
  blockHash: bytes(32),
  transactionHash: bytes(32),
  removed: z.boolean().optional(),
})

/** The contract's events for a wallet or a transaction, oldest first. More than `most` of them are refused. */
export async function readLogs(rpc: Rpc, filter: LogFilter, most: number): Promise<PublishedLog[]> {
  const { contract, wallet, txHash, fromBlock, toBlock } = filter
  const logs = await rpc('eth_getLogs', [
    {
      address: contract,
      topics: encodeEventTopics({
        abi: [attestationPublished],
        args: {
          ...(wallet && { wallet }),
          ...(txHash && { txHash: typeof txHash === 'string' ? txHash : [...txHash] }),
        },
      }),
      fromBlock: quantity(fromBlock),
      toBlock: toBlock === undefined ? 'latest' : quantity(toBlock),
    },
  ])
  if (!Array.isArray(logs) || logs.length > most) throw unusable('an unusable list of logs')
  return logs.map((log) => parseLog(log, filter))
}

function parseLog(value: unknown, filter: LogFilter): PublishedLog {
  const found = withCode('chain_unavailable', 'the node sent a log that is no AttestationPublished', () => {
    const log = logSchema.parse(value)
    const topics = log.topics as [Hex, ...Hex[]]
    const { args } = decodeEventLog({ abi: [attestationPublished], topics, data: log.data as Hex, strict: true })
    return { ...log, ...args }
  })
  const log: PublishedLog = {
    contract: lower(found.address),
    wallet: lower(found.wallet),
    txHash: lower(found.txHash),
    ipfsCid: found.ipfsCid,
    transactionHash: lower(found.transactionHash),
    blockNumber: Number(found.blockNumber),
    blockHash: lower(found.blockHash),
  }
  const differs = (['contract', 'wallet', 'txHash'] as const).some(
    (name) => filter[name] !== undefined && ![filter[name]].flat().some((asked) => lower(asked) === log[name]),
  )
  if (differs || found.removed === true) throw unusable('a log that was not asked for')
  return log
}

const lower = (hex: string): Hex => hex.toLowerCase() as Hex
export const quantity = (value: number): Hex => `0x${value.toString(16)}`
export const unusable = (what: string) => new ServiceError('chain_unavailable', `the node sent ${what}`)
