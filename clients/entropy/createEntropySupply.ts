import { randomUUID } from 'node:crypto'
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
import { createBreaker } from './createBreaker.js'
import { createBell, createSignal } from './createBell.js'
import type { EntropySource } from './EntropySource.js'
import type { EntropyPurpose, EntropySupply, SupplySnapshot } from './EntropySupply.js'
import { aheadOf, refill, type TrackedSource } from './refill.js'

export interface EntropySupplyDeps {
  database: DataSource
  /** In order of preference. */
  sources: readonly EntropySource[]
  trust: EntropyTrust
  log: Pick<Logger, 'info' | 'warn'>
  options?: Partial<typeof defaults>
  /** Is told the state after every round: `createEntropyMeter`. */
  onRound?: (snapshot: SupplySnapshot) => void
  /** Milliseconds since 1970. */
  now?: () => number
}

const defaults = {
  /** How many samples to hold ahead. */
  target: 64,
  /** How long a request waits for an empty supply. */
  waitMs: 2_000,
  /** What is left of a sample's freshness when it is handed out: the time the operation has to use it. */
  useSeconds: 20,
  tickMs: 1_000,
  /** How often a waiting request looks whether another worker has filled the supply, and how often an empty one is tried. */
  pollMs: 100,
  leaseSeconds: 10,
  stateEveryMs: 5_000,
  /** Unused samples are forgotten this long after they expired; until then their repetition is noticed. */
  keepExpiredSeconds: 86_400,
}

/** Fetches ahead in the background and gives each sample to one operation. Postgres decides, so any number may run. */
export function createEntropySupply(deps: EntropySupplyDeps): EntropySupply {
  const { database, trust, log, now = Date.now } = deps
  const options = { ...defaults, ...deps.options }
  const worker = randomUUID()
  const sources = deps.sources.map((source) => track(source, now, log))
  const target = Math.max(...deps.sources.map((source) => aheadOf(source, { target: options.target, trust })))
  const bell = createBell()
  const filled = createSignal()
  const counters = { level: 0, oldest: null as number | null, taken: 0, unavailable: 0 }
  let reported: SupplySnapshot['state'] | null = null
  let running: Promise<void> | null = null
  let stopped = false
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
    // Whoever leads fills the supply, once a quarter is used: a request costs the same for one sample as for a batch. With
    // nothing left nobody waits for a leader that may be dead: limits hold anyway.
    if (leads ? before.level * 4 <= target * 3 : before.level === 0) {
      const onFailure = (tracked: TrackedSource, error: unknown): void => {
        const code = error instanceof ServiceError ? error.code : 'internal_error'
        const facts = error instanceof ServiceError ? error.facts : {}
        log.warn({ source: tracked.source.name, code, facts, err: error }, 'entropy source failed')
      }
      counters.level = await refill({ database, trust, target: options.target, now, onFailure }, sources, before.level)
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
      else filled.send()
      await bell.wait(options.tickMs)
    }
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
      sources: Object.fromEntries(
        sources.map(({ source, breaker, fetched, failures, lastFailure }) => [
          source.name,
          { state: breaker.state, fetched, failures: { ...failures }, lastFailure },
        ]),
      ),
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
          if (counters.level * 2 < target) bell.ring()
          return sample
        }
        const leftMs = deadline - now()
        if (leftMs <= 0) {
          counters.unavailable += 1
          throw nothingLeft(sources, now)
        }
        counters.level = 0
        bell.ring()
        await filled.wait(Math.min(options.pollMs, leftMs))
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
      bell.ring()
      await running
      running = null
      await dropRefillLease(database, worker).catch(() => undefined) // it expires by itself
    },
  }
}

function track(source: EntropySource, now: () => number, log: EntropySupplyDeps['log']): TrackedSource {
  const breaker = createBreaker({
    now,
    onChange: (state) =>
      log[state === 'closed' ? 'info' : 'warn']({ source: source.name, state }, 'entropy source changed state'),
  })
  return { source, breaker, fetched: 0, failures: {}, lastFailure: null, limitedUntil: 0 }
}

function nothingLeft(sources: readonly TrackedSource[], now: () => number): ServiceError {
  const waits = sources.map(({ breaker, limitedUntil }) => Math.max(breaker.waitMs(), limitedUntil - now(), 1_000))
  const retryAfterSeconds = Math.ceil(Math.min(...waits) / 1000)
  return new ServiceError('entropy_unavailable', 'no fresh entropy sample is available; try again shortly', {
    retryAfterSeconds,
  })
}

const keyOf = ({ kind, id }: EntropyPurpose): string => `${kind}:${id}`
