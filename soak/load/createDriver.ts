import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { transactionHash, type Hex, type TxMetadata } from '@perigee/core'
import type { SignDigestResult } from '@perigee/core/workflow'
import type { Random } from '../../tests/createRandom.js'
import type { Acknowledged } from './clientLog.js'
import type { SoakUser } from './createUser.js'

/** One request for a signature, whatever came of it. Times in milliseconds since 1970. */
export interface Attempt {
  from: number
  to: number
  /** HTTP status, or 0 when no answer came. */
  status: number
}

export interface DriverOptions {
  apiUrl: string
  users: readonly SoakUser[]
  random: Random
  record(line: Acknowledged): void
  /** One request in this many is asked again afterwards, under another key: the answer must be the same. */
  repeatOneIn: number
  maxInFlight: number
}

interface Request {
  user: SoakUser
  digest: Hex
  txMetadata: TxMetadata
}

/** As patient as the SDK: the service answers within 15 seconds, one way or another. */
const requestTimeoutMs = 20_000
const longestWaitMs = 2_000

/** Signs through the API as clients do, and remembers every attempt. */
export function createDriver(options: DriverOptions) {
  const { apiUrl, users, random, record } = options
  const attempts: Attempt[] = []
  const inFlight = new Set<Promise<void>>()
  const state = { asked: 0, acknowledged: 0, gaveUp: 0 }
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
      // No answer: the request may have been carried out or not. Asking again is how a client finds out.
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
      ...{ at: new Date(to).toISOString(), user: user.index, wallet: user.wallet, digest },
      ...{ txHash: transactionHash(txMetadata, result.signature), ...result, attempts: tries, ms: to - from },
    })
  }

  /** Asks until there is an answer, always with the same key. False when patience ran out. */
  async function sign(request: Request): Promise<boolean> {
    const key = randomUUID()
    const begun = Date.now()
    for (let tries = 1; ; tries++) {
      const { attempt, result, waitMs } = await ask(request, key)
      if (result) {
        keep(request, result, attempt.to, begun, tries)
        return true
      }
      if (Date.now() > patienceEndsAt) return false
      await sleep(Math.min(waitMs ?? 200 * 2 ** Math.min(tries - 1, 4), longestWaitMs))
    }
  }

  function newRequest(): Request {
    const user = random.pick(users)
    state.asked++
    return { user, ...user.nextTransaction() }
  }

  async function signNew(request: Request): Promise<void> {
    if (await sign(request)) state.acknowledged++
    else state.gaveUp++
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
    /** Starts `count` requests, `rate` a second whatever becomes of those before them, unless too many wait. */
    async run(count: number, rate: number, stopped: () => boolean = () => false): Promise<void> {
      const begun = Date.now()
      for (let index = 0; index < count && !stopped(); index++) {
        const due = begun + (index * 1000) / rate
        if (due > Date.now()) await sleep(due - Date.now())
        while (inFlight.size >= options.maxInFlight) await sleep(20)
        start()
      }
    },
    /** One request, one attempt: what a client without patience sees. */
    async once(): Promise<Attempt> {
      const request = newRequest()
      const { attempt, result } = await ask(request, randomUUID())
      if (result) {
        keep(request, result, attempt.to, attempt.from, 1)
        state.acknowledged++
      } else await signNew(request) // so that it is not left half done
      return attempt
    },
    /** Waits for the answers that are still missing. */
    async settle(timeoutMs: number): Promise<void> {
      patienceEndsAt = Date.now() + timeoutMs
      while (inFlight.size > 0) await Promise.race([...inFlight])
      patienceEndsAt = Infinity
    },
  }
}

export type Driver = ReturnType<typeof createDriver>
