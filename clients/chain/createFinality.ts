import { LRUCache } from 'lru-cache'
import { BaseError, BlockNotFoundError, RpcRequestError, type PublicClient } from 'viem'
import type { Hex } from '@perigee/core'
import { hashOf } from './receipts.js'

/** What no reorg can undo, as one RPC sees it. */
export function createFinality(reorgDepth: number) {
  /** Blocks at which a nonce was seen used, for RPCs without older state. */
  const sightings = new LRUCache<string, { number: bigint; hash: Hex }>({ max: 10_000 })

  /** The highest final block: the chain's own `finalized`, or the configured depth below the head where there is none. */
  async function height(client: PublicClient): Promise<bigint> {
    try {
      return (await client.getBlock({ blockTag: 'finalized' })).number
    } catch (error) {
      if (!isUnknownTag(error)) throw error
      return (await client.getBlockNumber()) - BigInt(reorgDepth)
    }
  }

  /** For a node without state at the final block: the nonce was seen used at a head that has become final. */
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

/** The RPC answered, and has no finalized block. Any other failure proves nothing. */
function isUnknownTag(error: unknown): boolean {
  if (error instanceof BlockNotFoundError) return true
  return error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError) !== null
}
