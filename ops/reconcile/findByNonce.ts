import { isAddressEqual, type PublicClient } from 'viem'
import type { Hex } from '@perigee/core'

/** Finds the transaction that used a nonce by bisecting the chain; null when the node keeps no old state. */
export async function findByNonce(client: PublicClient, address: Hex, nonce: number): Promise<Hex | null> {
  try {
    let [low, high] = [0n, await client.getBlockNumber()]
    while (low < high) {
      const middle = (low + high) / 2n
      if ((await client.getTransactionCount({ address, blockNumber: middle })) > nonce) high = middle
      else low = middle + 1n
    }
    const { transactions } = await client.getBlock({ blockNumber: low, includeTransactions: true })
    return transactions.find((one) => isAddressEqual(one.from, address) && one.nonce === nonce)?.hash ?? null
  } catch {
    return null // the report names the nonce
  }
}
