import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import type { EntropyTrust } from '@perigee/core/entropy'
import {
  dropRefillLease,
  holdRefillLease,
  pruneExpiredSamples,
  supplyLevel,
  writeEntropyState,
  type TakeFilter,
} from '../../../database/index.js'
import type { EntropySource } from '../EntropySource.js'
import { aheadOf, refill } from './refill.js'
import { trackSource, type TrackedSource } from '../trackSource.js'

/** How the entropy supply behaves unless told otherwise. */
export const supplyDefaults = {
  /** Samples to hold ahead. */
  target: 64,
  /** How long a request waits for an empty supply. */
  waitMs: 2_000,
  /** Seconds of freshness that a sample has left when it is handed out: the time to use it. */
  useSeconds: 20,
  tickMs: 1_000,
  /** How often a waiting request checks whether another worker has filled the supply, and an empty supply is refilled. */
  pollMs: 100,
  leaseSeconds: 10,
  stateEveryMs: 5_000,
  /** Unused samples are deleted this long after they expired; until then a repetition is noticed. */
  keepExpiredSeconds: 86_400,
}

/** The supply as this worker sees it. Plain JSON: also what the `entropy_supply` row and /health/ready show. */
export interface SupplySnapshot {
  /** `ready`: samples are waiting. `low`: below a quarter of the target. `empty`: a request would have to wait. */
  state: 'ready' | 'low' | 'empty'
  level: number
  target: number
  /** Age in seconds of the oldest sample waiting; null when none is. */
  oldestAgeSeconds: number | null
  taken: number
  /** Requests that found nothing in time. */
  unavailable: number
  sources: Record<string, ReturnType<TrackedSource['snapshot']>>
}

export interface KeepFilledDeps {
  database: DataSource
  /** In order of preference. */
  sources: readonly EntropySource[]
  trust: EntropyTrust
  log: Pick<Logger, 'info' | 'warn'>
  options: typeof supplyDefaults
  /** Called after every round: `createEntropyMeter`. */
  onRound?: (snapshot: SupplySnapshot) => void
  now: () => number
  /** Which samples count: those that stay fresh for this many seconds more. */
  usable: (spareSeconds: number) => TakeFilter
  useSeconds: number
}

/** The background half of the entropy supply: fetches ahead, and reports the level. One worker at a time leads. */
export function keepFilled({ database, trust, log, options, now, useSeconds, ...deps }: KeepFilledDeps) {
  const worker = randomUUID()
  const sources = deps.sources.map((source) => trackSource(source, { now, log }))
  const target = Math.max(...deps.sources.map((source) => aheadOf(source, { target: options.target, trust })))
  const events = new EventEmitter().setMaxListeners(0)
  const waitFor = (event: 'needed' | 'filled', ms: number) =>
    once(events, event, { signal: AbortSignal.timeout(ms) }).catch(() => undefined)
  const counters = { level: 0, oldest: null as number | null, taken: 0, unavailable: 0 }
  let reported: SupplySnapshot['state'] | null = null
  let running: Promise<void> | null = null
  let stopped = false
  let isNeeded = false
  let wroteAt = 0
  let prunedAt = 0
  let databaseFails = false

  async function round(): Promise<void> {
    // Samples about to expire do not count, so that new ones are here before they do.
    const before = await supplyLevel(database, deps.usable(useSeconds))
    counters.level = before.level
    counters.oldest = before.oldestReceivedAt
    const leads = await holdRefillLease(database, worker, options.leaseSeconds)
    // The leader refills once a quarter is used, because a request costs the same for one sample as for a batch. An empty
    // supply is refilled by any worker: the leader may be dead, and limits hold anyway.
    if (leads ? before.level * 4 <= target * 3 : before.level === 0) {
      counters.level = await refill({ database, trust, target: options.target, now }, sources, before.level)
    }
    const changed = reportState()
    deps.onRound?.(snapshot())
    if (!leads) return
    if (changed || now() - wroteAt >= options.stateEveryMs) {
      await writeEntropyState(database, snapshot())
      wroteAt = now()
    }
    if (now() - prunedAt >= 600_000) {
      await pruneExpiredSamples(database, Math.floor(now() / 1000) - options.keepExpiredSeconds)
      prunedAt = now()
    }
  }

  function reportState(): boolean {
    const { state, level } = snapshot()
    if (state === reported) return false
    log[state === 'ready' ? 'info' : 'warn'](
      { from: reported, to: state, level, target },
      'entropy supply changed state',
    )
    reported = state
    return true
  }

  async function run(): Promise<void> {
    while (!stopped) {
      const failed = await round().then(
        () => null,
        (error: unknown) => ({ error }),
      )
      if ((failed !== null) !== databaseFails) {
        databaseFails = failed !== null
        if (failed) log.warn({ err: failed.error }, 'entropy supply cannot reach its database')
        else log.info('entropy supply reaches its database again')
      }
      if (counters.level === 0) await sleep(options.pollMs)
      else events.emit('filled')
      if (!isNeeded) await waitFor('needed', options.tickMs)
      isNeeded = false
    }
  }

  function refillNow(): void {
    isNeeded = true
    events.emit('needed')
  }

  function snapshot(): SupplySnapshot {
    const { level, oldest, taken, unavailable } = counters
    return {
      state: level === 0 ? 'empty' : level * 4 < target ? 'low' : 'ready',
      level,
      target,
      oldestAgeSeconds: oldest === null || level === 0 ? null : Math.max(0, Math.floor(now() / 1000) - oldest),
      taken,
      unavailable,
      sources: Object.fromEntries(sources.map((tracked) => [tracked.source.name, tracked.snapshot()])),
    }
  }

  return {
    snapshot,

    /** One sample was given out. */
    taken(): void {
      counters.taken += 1
      counters.level = Math.max(0, counters.level - 1)
      if (counters.level * 2 < target) refillNow()
    },

    /** Nothing was there: fetches now, and waits at most this long for it. */
    async refilled(waitMs: number): Promise<void> {
      counters.level = 0
      refillNow()
      await waitFor('filled', Math.min(options.pollMs, waitMs))
    },

    /** Nothing came in time. */
    unavailable(): ServiceError {
      counters.unavailable += 1
      const waits = sources.map((tracked) => Math.max(tracked.waitMs(), tracked.limitedUntil - now(), 1_000))
      const retryAfterSeconds = Math.ceil(Math.min(...waits) / 1000)
      return new ServiceError('entropy_unavailable', 'no fresh entropy sample is available; try again shortly', {
        retryAfterSeconds,
      })
    },

    /** Starts fetching ahead. */
    start(): void {
      stopped = false
      running ??= run()
    },

    /** Stops fetching and waits for what is under way. */
    async stop(): Promise<void> {
      stopped = true
      refillNow()
      await running
      running = null
      await dropRefillLease(database, worker).catch(() => undefined) // it expires by itself
    },
  }
}
