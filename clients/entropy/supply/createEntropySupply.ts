import { meetsLevel, provenanceLevels, type EntropySample } from '@perigee/core/entropy'
import { retireSample, takeSample, type TakeFilter } from '../../../database/index.js'
import { keepFilled, supplyDefaults, type KeepFilledDeps } from './keepFilled.js'

/** The only operation that a sample ever serves. `id` must be the same when the operation runs again after a crash. */
export interface EntropyPurpose {
  kind: 'create' | 'sign'
  id: string
}

export interface EntropySupplyDeps extends Pick<KeepFilledDeps, 'database' | 'sources' | 'trust' | 'log' | 'onRound'> {
  options?: Partial<typeof supplyDefaults>
  /** Milliseconds since 1970. */
  now?: () => number
}

/** Fetches ahead in the background and gives each sample to one operation. Postgres decides, so any number of workers may run. */
export function createEntropySupply(deps: EntropySupplyDeps) {
  const { database, trust, now = Date.now } = deps
  const options = { ...supplyDefaults, ...deps.options }
  const useSeconds = Math.min(options.useSeconds, Math.floor(trust.freshnessSeconds / 4))
  const usable = (spareSeconds: number): TakeFilter => ({
    freshAt: Math.floor(now() / 1000) + useSeconds + spareSeconds,
    sources: deps.sources.map((source) => source.name),
    levels: provenanceLevels.filter((level) => meetsLevel(level, trust.minimum)),
  })
  const store = keepFilled({ ...deps, options, now, usable, useSeconds })

  return {
    /**
     * A fresh sample for one purpose. The same purpose again gets the same sample while it is fresh; a stale one is
     * retired (never given to another purpose) and replaced. Callers look for a stored signature first.
     * Throws `entropy_unavailable` with `retryAfterSeconds` when none came in time.
     */
    async take(purpose: EntropyPurpose): Promise<EntropySample> {
      const deadline = now() + options.waitMs
      for (;;) {
        const sample = await takeSample(database, keyOf(purpose), usable(0))
        if (sample !== null) {
          store.taken()
          return sample
        }
        const leftMs = deadline - now()
        if (leftMs <= 0) throw store.unavailable()
        await store.refilled(leftMs)
      }
    },
    /** Retires a sample that was refused as used: the purpose gets another next time. */
    retire: (purpose: EntropyPurpose, sample: EntropySample) => retireSample(database, keyOf(purpose), sample),
    snapshot: store.snapshot,
    start: store.start,
    stop: store.stop,
  }
}

export type EntropySupply = ReturnType<typeof createEntropySupply>

const keyOf = ({ kind, id }: EntropyPurpose): string => `${kind}:${id}`
