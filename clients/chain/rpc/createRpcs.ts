import { createPublicClient, type PublicClient } from 'viem'
import { ServiceError } from '@perigee/core'
import { rpcTransport } from './rpcTransport.js'

export const requestTimeoutMs = 8_000
/** An RPC this many blocks behind the best one is asked last. */
const lagging = 2
const rankEveryMs = 5_000
const rankWaitMs = 1_000

export interface Rpcs {
  /** The first answer, from the RPC that is least behind to the one that is most. */
  first<T>(question: (client: PublicClient) => Promise<T>): Promise<T>
  /** Every answer there is; at least one. For what a single RPC could lie about or have missed. */
  all<T>(question: (client: PublicClient) => Promise<T>): Promise<T[]>
  /** The same, with the RPC that gave it: its host only, because paths and queries hold providers' keys. */
  each<T>(question: (client: PublicClient) => Promise<T>): Promise<{ rpc: string; answer: T }[]>
}

/**
 * Several RPCs of one chain. Throws `chain_unavailable` when none answers; a ServiceError from a question counts as an
 * answer. Each RPC must first say that it serves the configured chain: the right event on the wrong chain proves nothing.
 */
export function createRpcs({ rpcUrls, chainId }: { rpcUrls: readonly string[]; chainId: number }): Rpcs {
  const rpcs = rpcUrls.map((url) => ({
    name: new URL(url).host,
    client: createPublicClient({ transport: rpcTransport(url, requestTimeoutMs), cacheTime: 0 }),
    checked: false,
    height: -1n,
  }))
  let rankedAt = 0

  type Rpc = (typeof rpcs)[number]

  async function ask<T>(rpc: Rpc, question: (client: PublicClient) => Promise<T>): Promise<T> {
    if (!rpc.checked) {
      const found = await rpc.client.getChainId()
      if (found !== chainId) {
        throw new ServiceError('chain_mismatch', 'an RPC serves another chain than CHAIN_ID', {
          expected: chainId,
          found,
        })
      }
      rpc.checked = true
    }
    return question(rpc.client)
  }

  /** In the configured order, those behind last. A hanging RPC delays this by a second at most. */
  async function inOrder(): Promise<Rpc[]> {
    if (rpcs.length === 1) return rpcs
    if (Date.now() - rankedAt > rankEveryMs) {
      rankedAt = Date.now()
      const heights = rpcs.map(async (rpc) => {
        rpc.height = await rpc.client.getBlockNumber().catch(() => -1n)
      })
      await Promise.race([Promise.all(heights), new Promise((resolve) => setTimeout(resolve, rankWaitMs).unref())])
    }
    const best = rpcs.reduce((most, { height }) => (height > most ? height : most), 0n)
    const isBehind = ({ height }: Rpc) => height + BigInt(lagging) < best
    return [...rpcs.filter((rpc) => !isBehind(rpc)), ...rpcs.filter(isBehind)]
  }

  const unavailable = (cause: unknown) => new ServiceError('chain_unavailable', 'no RPC answered', {}, cause)

  async function each<T>(question: (client: PublicClient) => Promise<T>): Promise<{ rpc: string; answer: T }[]> {
    const asked = rpcs.map(async (rpc) => ({ rpc: rpc.name, answer: await ask(rpc, question) }))
    const outcomes = await Promise.allSettled(asked)
    const answers = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const reasons = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    const refusal = reasons.find((reason) => reason instanceof ServiceError)
    if (refusal) throw refusal
    if (answers.length === 0) throw unavailable(reasons[0])
    return answers
  }

  return {
    async first(question) {
      let last: unknown
      for (const rpc of await inOrder()) {
        try {
          return await ask(rpc, question)
        } catch (error) {
          if (error instanceof ServiceError) throw error
          last = error
        }
      }
      throw unavailable(last)
    },

    each,
    all: async (question) => (await each(question)).map(({ answer }) => answer),
  }
}
