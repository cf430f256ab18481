import type { Logger } from 'pino'
import type { Hex } from '@perigee/core'
import { detailsOf, openRpc } from './rpc/openRpc.js'

const requestTimeoutMs = 5_000

/**
 * Tells whether a wallet's transaction was broadcast. One RPC is enough: a lie only makes us publish a receipt earlier.
 * An RPC that starts to fail is logged once.
 */
export function createTransactionLookup(
  rpcUrlsByChain: ReadonlyMap<number, readonly string[]>,
  log: Pick<Logger, 'warn'>,
) {
  const rpcsOf = (urls: readonly string[]) => urls.map((url) => openRpc(url, requestTimeoutMs))
  const rpcsByChain = new Map([...rpcUrlsByChain].map(([chainId, urls]) => [chainId, rpcsOf(urls)]))
  const failing = new Set<string>()

  return {
    /** True when we have an RPC of this chain. */
    isKnown: (chainId: number) => (rpcsByChain.get(chainId) ?? []).length > 0,

    /** True when an RPC of the chain has the transaction, waiting or mined. An RPC that fails has not seen it. */
    async hasSeen(chainId: number, txHash: Hex): Promise<boolean> {
      const asked = (rpcsByChain.get(chainId) ?? []).map(async ({ host, client }) => {
        try {
          const found = await client.request({ method: 'eth_getTransactionByHash', params: [txHash] })
          failing.delete(host)
          if (found !== null) return true
        } catch (error) {
          if (!failing.has(host))
            log.warn({ chainId, host, reason: detailsOf(error) }, 'an RPC cannot say whether it saw a transaction')
          failing.add(host)
        }
        throw new Error('not seen') // so that the first RPC that has seen it answers for all
      })
      return Promise.any(asked).catch(() => false)
    },
  }
}

export type TransactionLookup = ReturnType<typeof createTransactionLookup>
