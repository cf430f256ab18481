import { numberToHex, TransactionReceiptNotFoundError, type PublicClient, type TransactionReceipt } from 'viem'
import type { Hex } from '@perigee/core'
import type { OnchainPlace } from '../../database/index.js'

/** The contract reverts when it refuses; a call to an address without code succeeds without a log. */
export const hasPublished = ({ status, logs }: TransactionReceipt): boolean => status === 'success' && logs.length > 0

/** An empty transfer to ourselves: it fills a nonce gap, or was sent in place of a publication that became too old. */
export const isCancellation = ({ from, to, status }: TransactionReceipt): boolean =>
  status === 'success' && to?.toLowerCase() === from.toLowerCase()

export async function hashOf(client: PublicClient, blockNumber: bigint): Promise<Hex | null> {
  const params: [Hex, false] = [numberToHex(blockNumber), false]
  return (await client.request({ method: 'eth_getBlockByNumber', params }))?.hash ?? null
}

export async function receiptsOf(client: PublicClient, hashes: readonly Hex[]): Promise<TransactionReceipt[]> {
  const asked = hashes.map(async (hash) => {
    try {
      return [await client.getTransactionReceipt({ hash })]
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError) return []
      throw error
    }
  })
  return (await Promise.all(asked)).flat()
}

/** Where an event is, as it is recorded. */
export function placeOf(log: { transactionHash: Hex; blockNumber: bigint; blockHash: Hex }): OnchainPlace {
  return {
    onchainTxHash: log.transactionHash,
    onchainBlockNumber: Number(log.blockNumber),
    onchainBlockHash: log.blockHash,
  }
}
