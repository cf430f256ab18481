import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import { meetsLevel, provenanceLevels, type EntropyTrust } from '@perigee/core/entropy'
import {
  dropRefillLease,
  holdRefillLease,
  pruneExpiredSamples,
  supplyLevel,
  retireSample,
  takeSample,
  writeEntropyState,
} from '../../database/index.js'
import type { EntropySource } from './EntropySource.js'
import type { EntropyPurpose, EntropySupply, SupplySnapshot } from './EntropySupply.js'
import { aheadOf, refill } from './refill.js'
import { supplyDefaults } from './supplyDefaults.js'
import { trackSource, type TrackedSource } from './trackSource.js'

export interface EntropySupplyDeps {
  database: DataSource
  /** In order of preference. */
  sources: readonly EntropySource[]
  trust: EntropyTrust
  log: Pick<Logger, 'info' | 'warn'>
  options?: Partial<typeof supplyDefaults>
  /** Called after every round: `createEntropyMeter`. */
  onRound?: (snapshot: SupplySnapshot) => void
  /** Milliseconds since 1970. */
  now?: () => number
}

/** Fetches ahead in the background and gives each sample to one operation. Postgres decides, so any number of workers may run. */
export function createEntropySupply(deps: EntropySupplyDeps): EntropySupply {
  const { database, trust, log, now = Date.now } = deps
  const options = { ...supplyDefaults, ...deps.options }
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

  const useSeconds = Math.min(options.useSeconds, Math.floor(trust.freshnessSeconds / 4))
  const seconds = (): number => Math.floor(now() / 1000)
  const filter = (spareSeconds = 0) => ({
    freshAt: seconds() + useSeconds + spareSeconds,
    sources: deps.sources.map((source) => source.name),
    levels: provenanceLevels.filter((level) => meetsLevel(level, trust.minimum)),
  })

  async function round(): Promise<void> {
    // Samples about to expire do not count, so that new ones are here before they do.
    const before = await supplyLevel(database, filter(useSeconds))
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
      await pruneExpiredSamples(database, seconds() - options.keepExpiredSeconds)
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
      oldestAgeSeconds: oldest === null || level === 0 ? null : Math.max(0, seconds() - oldest),
      taken,
      unavailable,
      sources: Object.fromEntries(sources.map((tracked) => [tracked.source.name, tracked.snapshot()])),
    }
  }

  return {
    async take(purpose: EntropyPurpose) {
      const key = keyOf(purpose)
      const deadline = now() + options.waitMs
      for (;;) {
        const sample = await takeSample(database, key, filter())
        if (sample !== null) {
          counters.taken += 1
          counters.level = Math.max(0, counters.level - 1)
          if (counters.level * 2 < target) refillNow()
          return sample
        }
        const leftMs = deadline - now()
        if (leftMs <= 0) {
          counters.unavailable += 1
          throw nothingLeft(sources, now)
        }
        counters.level = 0
        refillNow()
        await waitFor('filled', Math.min(options.pollMs, leftMs))
      }
    },
    retire: (purpose, sample) => retireSample(database, keyOf(purpose), sample),
    snapshot,
    start() {
      stopped = false
      running ??= run()
    },
    async stop() {
      stopped = true
      refillNow()
      await running
      running = null
      await dropRefillLease(database, worker).catch(() => undefined) // it expires by itself
    },
  }
}

function nothingLeft(sources: readonly TrackedSource[], now: () => number): ServiceError {
  const waits = sources.map((tracked) => Math.max(tracked.waitMs(), tracked.limitedUntil - now(), 1_000))
  const retryAfterSeconds = Math.ceil(Math.min(...waits) / 1000)
  return new ServiceError('entropy_unavailable', 'no fresh entropy sample is available; try again shortly', {
    retryAfterSeconds,
  })
}

const keyOf = ({ kind, id }: EntropyPurpose): string => `${kind}:${id}`
