import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { serializeSigned } from '@perigee/core'
import type { PasskeyApproval } from '@perigee/core/authorisation'
import type { SignDigestResult } from '@perigee/core/workflow'
import { createPublicClient, http } from 'viem'
import type { Random } from '../../tests/createRandom.js'
import { acknowledge, type Acknowledged } from './acknowledge.js'
import type { Asked, SoakUser } from './createUser.js'
import { bodyOf, pathOf } from './signingRequest.js'

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
  /** One request in this many is for a message; 0: none. */
  messageOneIn: number
  maxInFlight: number
}

interface Request {
  user: SoakUser
  asked: Asked
  /** Whether the user broadcasts it. */
  sends: boolean
}

/** As long as the SDK waits: the service answers within 15 seconds. */
const requestTimeoutMs = 20_000
const longestWaitMs = 2_000
const broadcastWithinMs = 10_000

/** How a request is made: its idempotency key, and the approval of a passkey, which is part of what the key stands for. */
interface Way {
  key: string
  authorisation: PasskeyApproval | null
  renewAt: number
}

/** Approvals are valid for five minutes. */
const approvalMs = 240_000

const wayFor = ({ user, asked }: Request): Way => ({
  key: randomUUID(),
  authorisation: user.approve(asked),
  renewAt: Date.now() + approvalMs,
})

/** Signs through the API and broadcasts as clients do, and keeps every attempt. */
export function createDriver(options: DriverOptions) {
  const { apiUrl, users, random, record } = options
  const attempts: Attempt[] = []
  const inFlight = new Set<Promise<void>>()
  /** `unsent`: transactions left unsent on purpose, or because the node was away. */
  const state = { asked: 0, acknowledged: 0, gaveUp: 0, sent: 0, unsent: 0 }
  const chain = createPublicClient({ transport: http(options.rpcUrl, { retryCount: 0, timeout: 5_000 }) })
  let patienceEndsAt = Infinity

  async function ask({ user, asked }: Request, { key, authorisation }: Way) {
    const attempt: Attempt = { from: Date.now(), to: 0, status: 0 }
    let result: SignDigestResult | undefined
    let waitMs: number | undefined
    let needsFunds = false
    try {
      const answer = await fetch(`${apiUrl}${pathOf(asked)}`, {
        method: 'POST',
        headers: { ...user.headers(), 'idempotency-key': key },
        body: JSON.stringify(bodyOf(asked, authorisation)),
        signal: AbortSignal.timeout(requestTimeoutMs),
      })
      const text = await answer.text()
      attempt.status = answer.status
      if (answer.ok) result = JSON.parse(text) as SignDigestResult
      needsFunds = answer.status === 422 && text.includes('insufficient_funds')
      const retryAfter = Number(answer.headers.get('retry-after') ?? NaN)
      if (Number.isFinite(retryAfter)) waitMs = retryAfter * 1000
    } catch {
      // No answer: the request may have been carried out or not. A client asks again to find out.
    }
    attempt.to = Date.now()
    attempts.push(attempt)
    return { attempt, result, waitMs, needsFunds }
  }

  function keep({ user, asked }: Request, result: SignDigestResult, to: number, from: number, attempts: number) {
    record(acknowledge(asked, result, { user: user.index, wallet: user.wallet, attempts, from, to }))
  }

  /** Tries for some seconds: the node may have been killed. A transaction that it refuses stays unsent. */
  async function broadcast({ asked, sends }: Request, { signature }: SignDigestResult): Promise<void> {
    if (asked.kind === 'message') return
    const { txMetadata } = asked
    const serializedTransaction = serializeSigned(txMetadata, signature)
    for (const until = Date.now() + broadcastWithinMs; sends && Date.now() < until; await sleep(500)) {
      const sent = await chain.sendRawTransaction({ serializedTransaction }).catch(() => null)
      if (sent) return void state.sent++
    }
    state.unsent++
  }

  /** Asks until there is an answer, with the same key until the passkey's approval has expired. Null when time ran out. */
  async function sign(request: Request): Promise<SignDigestResult | null> {
    const start = Date.now()
    let way = wayFor(request)
    for (let tries = 1; ; tries++) {
      if (Date.now() > way.renewAt) way = wayFor(request)
      const { attempt, result, waitMs, needsFunds } = await ask(request, way)
      if (result) {
        keep(request, result, attempt.to, start, tries)
        return result
      }
      if (Date.now() > patienceEndsAt) return null
      if (needsFunds) await request.user.fund().catch(() => undefined) // the node may be away: the next attempt tells
      await sleep(Math.min(waitMs ?? 200 * 2 ** Math.min(tries - 1, 4), longestWaitMs))
    }
  }

  function newRequest(): Request {
    const user = random.pick(users)
    state.asked++
    if (options.messageOneIn > 0 && random.between(1, options.messageOneIn) === 1) {
      return { user, sends: false, asked: user.nextMessage() }
    }
    const sends = options.unsentOneIn === 0 || random.between(1, options.unsentOneIn) !== 1
    return { user, sends, asked: user.nextTransaction(sends) }
  }

  async function signNew(request: Request): Promise<void> {
    const result = await sign(request)
    if (!result) return void state.gaveUp++
    state.acknowledged++
    await broadcast(request, result)
  }

  async function askOnce() {
    const request = newRequest()
    let answer = await ask(request, wayFor(request))
    if (answer.needsFunds) {
      // A node that was killed, or a reorg, has lost the user's money: that is no failure of the service.
      await request.user.fund().catch(() => undefined)
      answer = await ask(request, wayFor(request))
    }
    const { attempt, result } = answer
    if (result) {
      keep(request, result, attempt.to, attempt.from, 1)
      state.acknowledged++
      await broadcast(request, result)
    }
    return { request, attempt, result }
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
    /**
     * Starts `count` requests, `rate` a second, without waiting for the answers unless too many are missing. While `held`, none
     * is started, and none is made up for later.
     */
    async run(
      count: number,
      rate: number,
      { stopped = () => false, held = () => false }: { stopped?: () => boolean; held?: () => boolean } = {},
    ): Promise<void> {
      for (let index = 0, due = Date.now(); index < count && !stopped(); index++, due += 1000 / rate) {
        if (due > Date.now()) await sleep(due - Date.now())
        while (inFlight.size >= options.maxInFlight) await sleep(20)
        while (held() && !stopped()) {
          await sleep(200)
          due = Date.now()
        }
        start()
      }
    },
    /** One request, one attempt: what a client that never retries sees. */
    async once(): Promise<Attempt> {
      const { request, attempt, result } = await askOnce()
      if (!result) await signNew(request) // so that it does not stay half done
      return attempt
    },
    /** The same for a user who gives up. */
    tryOnce: async (): Promise<Attempt> => (await askOnce()).attempt,
    /** Waits for the answers and broadcasts that are still missing. */
    async whenAnswered(timeoutMs: number): Promise<void> {
      patienceEndsAt = Date.now() + timeoutMs
      while (inFlight.size > 0) await Promise.race([...inFlight])
      patienceEndsAt = Infinity
    },
  }
}

export type Driver = ReturnType<typeof createDriver>
