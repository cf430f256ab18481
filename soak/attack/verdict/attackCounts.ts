import type { Violation } from '../../check/Evidence.js'
import type { HostileReport } from '../hostile/Plan.js'
import type { HonestRequest } from '../measureOthers.js'
import type { sizedShares } from '../sizedShares.js'

/** Something signed or made, as the records have it. */
export interface SignedRecord {
  user: string
  kind: 'transaction' | 'message' | 'birth'
  /** When the API had counted it, by the audit log; otherwise when it was recorded. Milliseconds since 1970. */
  at: number
  /** UTC. */
  day: string
  /** Whether the chain has it. */
  sent: boolean
}

/** What the counts of the attack run look at. Plain data, so that a test can spoil it. */
export interface AttackEvidence extends Pick<HostileReport, 'refusals' | 'replays' | 'operations' | 'streams'> {
  shares: Pick<typeof sizedShares, 'users' | 'streams'>
  /** How long a transaction that nobody has seen counts as unsent. */
  unsentSeconds: number
  signed: SignedRecord[]
  /** Answers by documented operation. */
  answered: Record<string, number>
  honest: HonestRequest[]
  /** Samples that the source gave in this run, and had left when it began. */
  samples: { given: number; left: number }
}

type Count = (evidence: AttackEvidence) => Violation[]

/** From the moment a request is counted until the audit log has it, on a busy machine. */
const slackSeconds = 2

/** The promises of the service to everybody else, one count each. Every count must be empty. */
export const attackCounts = {
  /** From the records alone: per second, per day, and unsent at once. */
  sharesExceeded: ({ signed, shares: { users: share }, unsentSeconds }) =>
    [...group(signed, 'user')].flatMap(([user, records]) => [
      ...overBucket(records, share).map((text) => `${user}: ${text}`),
      ...overDay(records, share.perDay).map((text) => `${user}: ${text}`),
      ...overUnsent(records, share.unsent, unsentSeconds).map((text) => `${user}: ${text}`),
    ]),

  /** As the client that holds them counted, and as Postgres counted. */
  streamsExceeded: ({ streams, shares }) =>
    streams.flatMap(({ kind, holder, most }) => {
      const share = kind === 'user' ? shares.streams.perUser : shares.streams.perAddress
      return most > share ? [`${holder}: ${most} streams at once, the share of a ${kind} is ${share}`] : []
    }),

  /** A refusal says which share is used up and when to come back, in its body and its headers. */
  refusalsUnexplained: ({ refusals }) =>
    refusals
      .filter(({ share, hasRetryAfter, hasRateLimit }) => share === null || !hasRetryAfter || !hasRateLimit)
      .map(({ by, operation, status, code, share, times }) => `${operation}: ${status} ${code} ${share ?? 'without a share'} to ${by}, ${times} times`), // prettier-ignore

  /** The others' requests that were refused because no sample was left. */
  entropyRefused: ({ honest }) =>
    honest.filter(({ code }) => code === 'entropy_unavailable').map(({ user, share }) => `user ${user}: ${share ?? 'no sample in time'}`), // prettier-ignore

  /** Otherwise refused, failed or unanswered. */
  honestFailed: ({ honest }) =>
    honest
      .filter(({ status, code }) => status !== 200 && code !== 'entropy_unavailable')
      .map(({ user, operation, status, code }) => `user ${user}: ${operation} got ${status} ${code}`),

  /** Nothing that was captured may be answered with anything new. */
  replaysAccepted: ({ replays }) =>
    replays
      .filter(({ expect, status, same }) => status < 400 && (expect === 'refused' || !same))
      .map(({ name, status, times }) => `${name}: ${status}, ${times} times`),

  /** A replay that only ever met a rate limit shows nothing. */
  replaysUntried: ({ replays }) => {
    const decided = new Set(replays.filter(({ status }) => status !== 429 && status < 500).map(({ name }) => name))
    return [...new Set(replays.map(({ name }) => name))].filter((name) => !decided.has(name))
  },

  /** Every operation that the API documents was flooded and answered. */
  operationsUntouched: ({ operations, answered }) => operations.filter((id) => !answered[id]),

  /** The source was never asked for more than it gives. */
  samplesExceeded: ({ samples: { given, left } }) =>
    given > left ? [`${given} samples, the source had ${left} left`] : [],
} satisfies Record<string, Count>

export type AttackCount = keyof typeof attackCounts

function group(records: readonly SignedRecord[], by: 'user' | 'day'): Map<string, SignedRecord[]> {
  const groups = new Map<string, SignedRecord[]>()
  for (const record of records) groups.set(record[by], [...(groups.get(record[by]) ?? []), record])
  return groups
}

/** In any period, at most what the bucket holds and its refill. */
function overBucket(records: readonly SignedRecord[], share: { perSecond: number; burst: number }): string[] {
  const times = records.map(({ at }) => at).sort((a, b) => a - b)
  for (const [first, from] of times.entries()) {
    for (let last = first; last < times.length; last++) {
      const seconds = ((times[last] as number) - from) / 1000
      const count = last - first + 1
      const most = share.burst + share.perSecond * (seconds + slackSeconds)
      if (count > most) return [`${count} in ${seconds.toFixed(1)} s, the share is ${Math.floor(most)}`]
    }
  }
  return []
}

function overDay(records: readonly SignedRecord[], perDay: number): string[] {
  return [...group(records, 'day')].flatMap(([day, { length }]) =>
    length > perDay ? [`${length} on ${day}, the share is ${perDay}`] : [],
  )
}

/** Transactions that were unsent at the same time. */
function overUnsent(records: readonly SignedRecord[], unsent: number, seconds: number): string[] {
  const times = records
    .filter(({ kind, sent }) => kind === 'transaction' && !sent)
    .map(({ at }) => at)
    .sort((a, b) => a - b)
  const windowMs = (seconds - slackSeconds) * 1000
  for (const [first, from] of times.entries()) {
    const count = times.filter((at, index) => index >= first && at < from + windowMs).length
    if (count > unsent) return [`${count} unsent at once, the share is ${unsent}`]
  }
  return []
}
