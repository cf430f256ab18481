import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { serializeSigned } from '@perigee/core'
import type { SignDigestResult } from '@perigee/core/workflow'
import { createPublicClient, http } from 'viem'
import { acknowledge, type Acknowledged } from '../load/acknowledge.js'
import { bodyOf } from '../load/signingRequest.js'
import type { SoakUser } from '../load/createUser.js'
import { parseProblem } from './verdict/parseProblem.js'

/** One request of an honest user. */
export interface HonestRequest {
  user: number
  operation: 'sign' | 'proof' | 'stream'
  /** 0: no answer. */
  status: number
  code: string
  share: string | null
  ms: number
}

export interface OthersOptions {
  apiUrls: readonly string[]
  rpcUrl: string
  users: readonly SoakUser[]
  record(line: Acknowledged): void
}

const signEveryMs = 120_000
const readsPerSignature = 4
const readEveryMs = 400
const requestTimeoutMs = 20_000
const patienceMs = 60_000

/** The others: each signs now and then, sends it, reads its proof and watches its stream. `during` returns all requests of a period. */
export function createOthers({ apiUrls, rpcUrl, users, record }: OthersOptions) {
  const chain = createPublicClient({ transport: http(rpcUrl, { retryCount: 2, timeout: 10_000 }) })
  let turn = 0
  let passedMs = 0

  /** To all API processes in turn. */
  async function ask(request: Pick<HonestRequest, 'user' | 'operation'>, path: string, init: RequestInit) {
    const from = performance.now()
    const signal = AbortSignal.timeout(requestTimeoutMs)
    const answer = await fetch(`${apiUrls[turn++ % apiUrls.length]}${path}`, { ...init, signal }).catch(() => null)
    const text = (await answer?.text().catch(() => null)) ?? null
    const status = text === null ? 0 : (answer?.status ?? 0)
    const ms = performance.now() - from
    return { seen: { ...request, status, ms, ...parseProblem(status, text ?? '') }, text: text ?? '' }
  }

  /** One measured attempt. A request that failed is repeated unmeasured, since the next transaction has the next nonce. */
  async function sign(user: SoakUser, seen: HonestRequest[]): Promise<string | null> {
    const asked = user.nextTransaction(true)
    const body = JSON.stringify(bodyOf(asked, user.approve(asked)))
    const headers = { ...user.headers(), 'idempotency-key': randomUUID() }
    const start = Date.now()
    for (let attempts = 1; Date.now() - start < patienceMs; attempts++) {
      const question = { user: user.index, operation: 'sign' as const }
      const one = await ask(question, '/sign/digest', { method: 'POST', headers, body })
      if (attempts === 1) seen.push(one.seen)
      if (one.seen.status === 200) {
        const result = JSON.parse(one.text) as SignDigestResult
        const { index, wallet } = user
        record(acknowledge(asked, result, { user: index, wallet, attempts, from: start, to: Date.now() }))
        const serializedTransaction = serializeSigned(asked.txMetadata, result.signature)
        await chain.sendRawTransaction({ serializedTransaction }).catch(() => undefined) // it is published unsent
        return result.slug
      }
      await sleep(500)
    }
    return null
  }

  async function live(user: SoakUser, seen: HonestRequest[], ended: AbortSignal): Promise<void> {
    const wait = (ms: number) => sleep(ms, undefined, { signal: ended }).catch(() => undefined)
    const dueMs = ((user.index % users.length) * signEveryMs) / users.length - passedMs
    await wait(((dueMs % signEveryMs) + signEveryMs) % signEveryMs)
    const { index } = user
    while (!ended.aborted) {
      const next = performance.now() + signEveryMs
      const slug = await sign(user, seen)
      const leaving = new AbortController()
      if (slug !== null) void watch(user, slug, seen, leaving.signal)
      for (let read = 0; read < readsPerSignature && slug !== null; read++) {
        const { seen: one } = await ask({ user: index, operation: 'proof' }, `/proof/${slug}`, {
          headers: user.headers(),
        })
        seen.push(one)
        await sleep(readEveryMs)
      }
      if (next > performance.now()) await wait(next - performance.now())
      leaving.abort()
    }
  }

  /** Until the proof is complete, or the user goes on to the next. */
  async function watch(user: SoakUser, slug: string, seen: HonestRequest[], left: AbortSignal): Promise<void> {
    const from = performance.now()
    const stream = new AbortController()
    const signal = AbortSignal.any([stream.signal, AbortSignal.timeout(requestTimeoutMs)])
    const url = `${apiUrls[turn++ % apiUrls.length]}/proof/${slug}/events`
    const answer = await fetch(url, { headers: user.headers(), signal }).catch(() => null)
    const ms = performance.now() - from
    const status = answer?.status ?? 0
    const problem = parseProblem(status, status >= 400 ? ((await answer?.text().catch(() => '')) ?? '') : '')
    seen.push({ user: user.index, operation: 'stream', status, ms, ...problem })
    if (left.aborted) stream.abort()
    left.addEventListener('abort', () => stream.abort())
    if (status === 200) await answer?.text().catch(() => '')
  }

  return {
    /** Every request that was made in this many milliseconds. Users go on where the last period ended. */
    async during(ms: number): Promise<HonestRequest[]> {
      const seen: HonestRequest[] = []
      const ended = AbortSignal.timeout(ms)
      setMaxListeners(0, ended) // every user waits for it
      await Promise.all(users.map((user) => live(user, seen, ended)))
      passedMs += ms
      return seen
    },
  }
}
