import { Any, IsNull, MoreThanOrEqual, type DataSource } from 'typeorm'
import { EntropySampleEntity } from '../entities/EntropySample.js'
import { EntropySupplyEntity } from '../entities/EntropySource.js'
import type { TakeFilter } from './takeSample.js'

/** How many samples are waiting that `filter` would accept. */
export async function supplyLevel(database: DataSource, { freshAt, sources, levels }: TakeFilter) {
  const samples = database.getRepository(EntropySampleEntity)
  const fresh = { purpose: IsNull(), freshUntil: MoreThanOrEqual(freshAt) }
  const waiting = { ...fresh, source: Any(sources), provenance: Any(levels) }
  return { level: await samples.countBy(waiting), oldestReceivedAt: await samples.minimum('receivedAt', waiting) }
}

/** Makes `worker` the one that fetches, for a few seconds; false while another one is. Saves work; the limits hold anyway. */
export async function holdRefillLease(database: DataSource, worker: string, seconds: number): Promise<boolean> {
  const { affected } = await database
    .createQueryBuilder()
    .update(EntropySupplyEntity)
    .set({ leader: worker, leaderUntil: () => 'clock_timestamp() + make_interval(secs => :seconds)' })
    .where('id = 1 AND (leader = :worker OR leader_until < clock_timestamp())')
    .setParameters({ worker, seconds })
    .execute()
  return affected === 1
}

export async function dropRefillLease(database: DataSource, worker: string): Promise<void> {
  const supply = database.getRepository(EntropySupplyEntity)
  await supply.update({ id: 1, leader: worker }, { leaderUntil: () => `'-infinity'` })
}

/** Publishes the supply's state for other programs: the API's readiness, operators. */
export async function writeEntropyState(database: DataSource, snapshot: object): Promise<void> {
  const supply = database.getRepository(EntropySupplyEntity)
  await supply.update({ id: 1 }, { snapshot: { ...snapshot }, updatedAt: () => 'clock_timestamp()' })
}

export interface EntropyState {
  /** `unknown` when no worker has written for `maxAgeSeconds`. */
  state: 'ready' | 'low' | 'empty' | 'unknown'
  ageSeconds: number | null
  snapshot: Record<string, unknown> | null
}

/** The supply's state as the fetching worker last wrote it. For `/health/ready`: not ready when `empty` or `unknown`. */
export async function readEntropyState(database: DataSource, maxAgeSeconds = 15): Promise<EntropyState> {
  const row = await database
    .createQueryBuilder(EntropySupplyEntity, 'supply')
    .select('supply.snapshot', 'snapshot')
    .addSelect('extract(epoch FROM clock_timestamp() - supply.updatedAt)::float8', 'age')
    .getRawOne<{ snapshot: Record<string, unknown> | null; age: number | null }>()
  const { snapshot, age } = row ?? { snapshot: null, age: null }
  const state = snapshot?.state
  const known = age !== null && age <= maxAgeSeconds && (state === 'ready' || state === 'low' || state === 'empty')
  return { state: known ? state : 'unknown', ageSeconds: age === null ? null : Math.round(age), snapshot }
}
