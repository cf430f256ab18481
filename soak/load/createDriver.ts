import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { serializeSigned, transactionHash, type Hex, type TxMetadata } from '@perigee/core'
import type { SignDigestResult } from '@perigee/core/workflow'
import { createPublicClient, http } from 'viem'
import type { Random } from '../../tests/createRandom.js'
import type { Acknowledged } from './clientLog.js'
import type { SoakUser } from './createUser.js'

/** One request for a signature, answered or not. Times in milliseconds since 1970. */
export interface Attempt {
  from: number
  to: number
  /** HTTP status, or 0 when no answer came. */
  status: number
}

export interface DriverOptions {
  apiUrl: string
  /** Where users broadcast what they signed. */
  rpcUrl: string
  users: readonly SoakUser[]
  random: Random
  record(line: Acknowledged): void
  /** One request in this many is repeated afterwards, under another key: the answer must be the same. */
  repeatOneIn: number
  /** One transaction in this many is never broadcast; 0: all are. */
  unsentOneIn: number
  maxInFlight: number
}

interface Request {
  user: SoakUser
  digest: Hex
  txMetadata: TxMetadata
  /** Whether the user broadcasts it. */
  sends: boolean
}

/** As long as the SDK waits: the service answers within 15 seconds. */
const requestTimeoutMs = 20_000
const longestWaitMs = 2_000
const broadcastWithinMs = 10_000

/** Signs through the API and broadcasts as clients do, and keeps every attempt. */
export function createDriver(options: DriverOptions) {
  const { apiUrl, users, random, record } = options
  const attempts: Attempt[] = []
  const inFlight = new Set<Promise<void>>()
  /** `unsent`: transactions left unsent on purpose, or because the node was away. */
  const state = { asked: 0, acknowledged: 0, gaveUp: 0, sent: 0, unsent: 0 }
  const chain = createPublicClient({ transport: http(options.rpcUrl, { retryCount: 0, timeout: 5_000 }) })
  let patienceEndsAt = Infinity

  async function ask({ user, digest, txMetadata }: Request, key: string) {
    const attempt: Attempt = { from: Date.now(), to: 0, status: 0 }
    let result: SignDigestResult | undefined
    let waitMs: number | undefined
    try {
      const answer = await fetch(`${apiUrl}/sign/digest`, {
        method: 'POST',
        headers: { ...user.headers(), 'idempotency-key': key },
        body: JSON.stringify({ digest, txMetadata }),
        signal: AbortSignal.timeout(requestTimeoutMs),
      })
      const text = await answer.text()
      attempt.status = answer.status
      if (answer.ok) result = JSON.parse(text) as SignDigestResult
      const retryAfter = Number(answer.headers.get('retry-after') ?? NaN)
      if (Number.isFinite(retryAfter)) waitMs = retryAfter * 1000
    } catch {
      // No answer: the request may have been carried out or not. A client asks again to find out.
    }
    attempt.to = Date.now()
    attempts.push(attempt)
    return { attempt, result, waitMs }
  }

  function keep(
    { user, digest, txMetadata }: Request,
    result: SignDigestResult,
    to: number,
    from: number,
    tries: number,
  ) {
    record({
      at: new Date(to).toISOString(),
      user: user.index,
      wallet: user.wallet,
      digest,
      txHash: transactionHash(txMetadata, result.signature),
      ...result,
      attempts: tries,
      ms: to - from,
    })
  }

  /** Tries for some seconds: the node may have been killed. A transaction that it refuses stays unsent. */
  async function broadcast({ txMetadata, sends }: Request, { signature }: SignDigestResult): Promise<void> {
    const serializedTransaction = serializeSigned(txMetadata, signature)
    for (const until = Date.now() + broadcastWithinMs; sends && Date.now() < until; await sleep(500)) {
      const sent = await chain.sendRawTransaction({ serializedTransaction }).catch(() => null)
      if (sent) return void state.sent++
    }
    state.unsent++
  }

  /** Asks until there is an answer, always with the same key. Null when time ran out. */
  async function sign(request: Request): Promise<SignDigestResult | null> {
    const key = randomUUID()
    const start = Date.now()
    for (let tries = 1; ; tries++) {
      const { attempt, result, waitMs } = await ask(request, key)
      if (result) {
        keep(request, result, attempt.to, start, tries)
        return result
      }
      if (Date.now() > patienceEndsAt) return null
      await sleep(Math.min(waitMs ?? 200 * 2 ** Math.min(tries - 1, 4), longestWaitMs))
    }
  }

  function newRequest(): Request {
    const user = random.pick(users)
    state.asked++
    const sends = options.unsentOneIn === 0 || random.between(1, options.unsentOneIn) !== 1
    return { user, sends, ...user.nextTransaction(sends) }
  }

  async function signNew(request: Request): Promise<void> {
    const result = await sign(request)
    if (!result) return void state.gaveUp++
    state.acknowledged++
    await broadcast(request, result)
  }

  function start(): void {
    const request = newRequest()
    const repeats = random.between(1, options.repeatOneIn) === 1
    const work = signNew(request)
      .then(async () => void (repeats && (await sign(request))))
      .finally(() => inFlight.delete(work))
    inFlight.add(work)
  }

  return {
    attempts,
    state,
    inFlight: () => inFlight.size,
    /** Starts `count` requests, `rate` a second, without waiting for the answers unless too many are missing. */
    async run(count: number, rate: number, stopped: () => boolean = () => false): Promise<void> {
      const from = Date.now()
      for (let index = 0; index < count && !stopped(); index++) {
        const due = from + (index * 1000) / rate
        if (due > Date.now()) await sleep(due - Date.now())
        while (inFlight.size >= options.maxInFlight) await sleep(20)
        start()
      }
    },
    /** One request, one attempt: what a client that never retries sees. */
    async once(): Promise<Attempt> {
      const request = newRequest()
      const { attempt, result } = await ask(request, randomUUID())
      if (result) {
        keep(request, result, attempt.to, attempt.from, 1)
        state.acknowledged++
        await broadcast(request, result)
      } else await signNew(request) // so that it does not stay half done
      return attempt
    },
    /** Waits for the answers and broadcasts that are still missing. */
    async whenAnswered(timeoutMs: number): Promise<void> {
      patienceEndsAt = Date.now() + timeoutMs
      while (inFlight.size > 0) await Promise.race([...inFlight])
      patienceEndsAt = Infinity
    },
  }
}

export type Driver = ReturnType<typeof createDriver>
