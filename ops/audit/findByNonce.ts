import { isAddressEqual, type PublicClient } from 'viem'
import type { Hex } from '@perigee/core'

/** The transaction that used a nonce, found by halving the chain; null where the node keeps no old states. */
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
    return null // the nonce is named anyway
  }
}
