import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Hex } from '@perigee/core'
import { detailsOf, openRpc } from './rpc/openRpc.js'

const answerMs = 1_000
/** An RPC that failed is not asked for this long, so that a dead one delays one signature and not every one. */
const pauseMs = 10_000
/** A balance that was enough is believed for this long. */
const believeMs = 15_000

/**
 * Tells whether a wallet can pay for a transaction, before anything is signed. A courtesy, not a safeguard: an RPC that does
 * not answer within a second stops nothing, and a balance may change before the transaction is sent.
 */
export function createFunds(rpcUrlsByChain: ReadonlyMap<number, readonly string[]>, log: Pick<Logger, 'warn'>) {
  const open = (url: string) => ({ ...openRpc(url, answerMs, { redirect: 'error' }), pausedUntil: 0 })
  const rpcsByChain = new Map([...rpcUrlsByChain].map(([chainId, urls]) => [chainId, urls.map(open)]))
  const known = new LRUCache<string, bigint>({ max: 10_000, ttl: believeMs })

  async function ask(rpc: ReturnType<typeof open>, address: Hex): Promise<bigint> {
    try {
      const balance = await rpc.client.request({ method: 'eth_getBalance', params: [address, 'latest'] })
      if (!/^0x[0-9a-f]{1,64}$/i.test(balance)) throw new Error('no balance in the answer')
      return BigInt(balance)
    } catch (error) {
      rpc.pausedUntil = Date.now() + pauseMs
      const reason = detailsOf(error)
      log.warn({ host: rpc.host, reason }, 'an RPC did not return a wallet’s balance; signing continues without it')
      throw error
    }
  }

  return {
    /** The balance, when every RPC that answers says that it is below `needed`; null when it is enough, or unknown. */
    async shortOf(chainId: number, address: Hex, needed: bigint): Promise<bigint | null> {
      const key = `${chainId}/${address}`
      if ((known.get(key) ?? -1n) >= needed) return null
      const answers: bigint[] = []
      const asked = (rpcsByChain.get(chainId) ?? [])
        .filter(({ pausedUntil }) => pausedUntil <= Date.now())
        .map(async (rpc) => {
          const balance = await ask(rpc, address)
          answers.push(balance)
          if (balance < needed) throw new Error('not enough') // so that the first RPC that sees enough answers for all
          known.set(key, balance)
        })
      const isEnough = await Promise.any(asked).then(
        () => true,
        () => false,
      )
      if (isEnough || answers.length === 0) return null
      return answers.reduce((most, balance) => (balance > most ? balance : most))
    },
  }
}

export type Funds = ReturnType<typeof createFunds>
