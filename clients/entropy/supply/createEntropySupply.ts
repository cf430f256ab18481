import type { Logger } from 'pino'
import type { DataSource } from 'typeorm'
import { meetsLevel, provenanceLevels, type EntropyTrust } from '@perigee/core/entropy'
import { retireSample, takeSample, type TakeFilter } from '../../../database/index.js'
import type { EntropySource } from '../EntropySource.js'
import type { EntropyPurpose, EntropySupply, SupplySnapshot } from './EntropySupply.js'
import { keepFilled } from './keepFilled.js'
import { supplyDefaults } from './supplyDefaults.js'

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
    async take(purpose) {
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
    retire: (purpose, sample) => retireSample(database, keyOf(purpose), sample),
    snapshot: store.snapshot,
    start: store.start,
    stop: store.stop,
  }
}

const keyOf = ({ kind, id }: EntropyPurpose): string => `${kind}:${id}`
