import { HttpRequestError, TimeoutError, type PublicClient } from 'viem'
import type { Hex } from '@perigee/core'
import { hashOf } from './receipts.js'

/** What cannot be taken back any more, as one RPC sees it. */
export function createFinality(reorgDepth: number) {
  /** Blocks as of which a nonce was seen used, for RPCs that keep no older state. */
  const sightings = new Map<string, { number: bigint; hash: Hex }>()

  /**
   * The highest block that cannot be taken back: what the chain itself calls final, or, on a chain that knows no such
   * thing, the configured depth below the head.
   */
  async function height(client: PublicClient): Promise<bigint> {
    try {
      return (await client.getBlock({ blockTag: 'finalized' })).number
    } catch (error) {
      if (error instanceof HttpRequestError || error instanceof TimeoutError) throw error // it was not asked
      return (await client.getBlockNumber()) - BigInt(reorgDepth)
    }
  }

  /** The same question for a node without state at the final block: seen used at the head, and that block became final. */
  async function wasSeenUsed(client: PublicClient, sender: Hex, nonce: number, final: bigint): Promise<boolean> {
    const key = `${client.uid}/${sender}/${nonce}`
    const seen = sightings.get(key)
    if (seen && (await hashOf(client, seen.number)) === seen.hash) return seen.number <= final
    sightings.delete(key)
    const { number, hash } = await client.getBlock()
    if ((await client.getTransactionCount({ address: sender, blockNumber: number })) > nonce) {
      sightings.set(key, { number, hash })
    }
    return false
  }

  return {
    height,

    /** The final height if this nonce is used as of it; null while it is not. */
    async usedAt(client: PublicClient, sender: Hex, nonce: number): Promise<bigint | null> {
      const final = await height(client)
      if (final < 0n) return null
      const used = await client.getTransactionCount({ address: sender, blockNumber: final }).catch(() => null)
      const isUsed = used === null ? await wasSeenUsed(client, sender, nonce, final) : used > nonce
      return isUsed ? final : null
    },
  }
}
