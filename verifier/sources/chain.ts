import { decodeEventLog, encodeEventTopics } from 'viem'
import { ServiceError, withCode, type Hex } from '@perigee/core'
import { attestationPublished } from '@perigee/core/proof'
import type { PublishedEvent } from '@perigee/core/receipt/verify'
import { decodeJson } from '../readFile.js'
import { fetchBytes } from './fetchBytes.js'

const abi = [attestationPublished]
const limit = 4 * 1024 * 1024

interface Log {
  address: Hex
  topics: [Hex, ...Hex[]]
  data: Hex
  blockNumber: Hex
  blockHash: Hex
  transactionHash: Hex
  removed?: boolean
}

export interface EventQuery {
  rpc: string
  contract: Hex
  txHash: Hex
  fromBlock: number
}

/** The chain a node speaks for. */
export async function readChainId(rpc: string): Promise<number> {
  return Number(await call(rpc, 'eth_chainId', []))
}

/** Every AttestationPublished of the contract for a transaction, as this node tells it. */
export async function readEvents({ rpc, contract, txHash, fromBlock }: EventQuery): Promise<PublishedEvent[]> {
  const chainId = await readChainId(rpc)
  const filter = {
    address: contract,
    topics: encodeEventTopics({ abi, eventName: 'AttestationPublished', args: { txHash } }),
    fromBlock: `0x${fromBlock.toString(16)}`,
    toBlock: 'latest',
  }
  const logs = await call(rpc, 'eth_getLogs', [filter])
  const latest = Number(await call(rpc, 'eth_blockNumber', []))
  if (!Array.isArray(logs) || logs.length > 100) throw unusable('an unusable list of logs')
  const events: PublishedEvent[] = []
  for (const log of logs as Log[]) events.push(await readEvent(rpc, log, contract, chainId, latest))
  return events
}

async function readEvent(
  rpc: string,
  log: Log,
  contract: Hex,
  chainId: number,
  latest: number,
): Promise<PublishedEvent> {
  const decoded = withCode('chain_unavailable', 'the node sent a log that is no AttestationPublished', () => {
    const { args } = decodeEventLog({ abi, topics: log.topics, data: log.data, strict: true })
    return { ...args, contract: log.address.toLowerCase() as Hex, blockNumber: Number(log.blockNumber) }
  })
  // A node that answers for other contracts than asked, or from a block that is no longer part of the chain, is not one to believe.
  if (decoded.contract !== contract || log.removed === true) throw unusable('a log that was not asked for')
  const block = (await call(rpc, 'eth_getBlockByNumber', [log.blockNumber, false])) as Record<string, unknown> | null
  if (block === null || block.hash !== log.blockHash) throw unusable('a log of a block that is not in its chain')
  return {
    chainId,
    contract: decoded.contract,
    wallet: decoded.wallet.toLowerCase() as Hex,
    txHash: decoded.txHash,
    ipfsCid: decoded.ipfsCid,
    transactionHash: log.transactionHash,
    blockNumber: decoded.blockNumber,
    blockTimestamp: Number(block.timestamp),
    confirmations: latest - decoded.blockNumber + 1,
  }
}

async function call(rpc: string, method: string, params: unknown[]): Promise<unknown> {
  const answer = await fetchBytes(rpc, { json: { jsonrpc: '2.0', id: 1, method, params }, limit }).catch((error) => {
    throw new ServiceError('chain_unavailable', error instanceof Error ? error.message : 'no answer', {}, error)
  })
  const body = decodeJson(answer, 'the node’s answer') as { result?: unknown; error?: { message?: unknown } } | null
  if (body?.error !== undefined) {
    throw new ServiceError('chain_unavailable', `${method}: ${String(body.error.message).slice(0, 200)}`)
  }
  if (body?.result === undefined) throw unusable('no result')
  return body.result
}

const unusable = (what: string) => new ServiceError('chain_unavailable', `the node sent ${what}`)
