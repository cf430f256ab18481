import type { DataSource } from 'typeorm'
import type { UnixSeconds } from '@perigee/core'
import type { TakeFilter } from './takeSample.js'

/** How much is waiting that `filter` would accept. */
export async function supplyLevel(
  database: DataSource,
  filter: TakeFilter,
): Promise<{ level: number; oldestReceivedAt: UnixSeconds | null }> {
  const rows: { level: number; oldest: string | null }[] = await database.query(
    `SELECT count(*)::int AS level, min(received_at) AS oldest FROM entropy_samples
      WHERE purpose IS NULL AND fresh_until >= $1 AND source = ANY($2) AND provenance = ANY($3)`,
    [filter.freshAt, filter.sources, filter.levels],
  )
  const row = rows[0]
  return { level: row?.level ?? 0, oldestReceivedAt: row?.oldest ? Number(row.oldest) : null }
}

/** Makes `worker` the one that fetches, for a few seconds. False while another one is. Only saves work: limits hold anyway. */
export async function holdRefillLease(database: DataSource, worker: string, seconds: number): Promise<boolean> {
  const rows: unknown[] = await database
    .query(
      `UPDATE entropy_state SET leader = $1, leader_until = clock_timestamp() + make_interval(secs => $2)
        WHERE id = 1 AND (leader = $1 OR leader_until < clock_timestamp()) RETURNING id`,
      [worker, seconds],
    )
    .then(([returned]: [unknown[]]) => returned)
  return rows.length > 0
}

export async function dropRefillLease(database: DataSource, worker: string): Promise<void> {
  await database.query(`UPDATE entropy_state SET leader_until = '-infinity' WHERE id = 1 AND leader = $1`, [worker])
}

/** Publishes the supply's state for other programs: the API's readiness, operators. */
export async function writeEntropyState(database: DataSource, snapshot: object): Promise<void> {
  await database.query(`UPDATE entropy_state SET snapshot = $1, updated_at = clock_timestamp() WHERE id = 1`, [
    JSON.stringify(snapshot),
  ])
}

export interface EntropyState {
  /** `unknown` when no worker has written for `maxAgeSeconds`. */
  state: 'ready' | 'low' | 'empty' | 'unknown'
  ageSeconds: number | null
  snapshot: Record<string, unknown> | null
}

/** The supply's state as the fetching worker last wrote it. For `/health/ready`: not ready when `empty` or `unknown`. */
export async function readEntropyState(database: DataSource, maxAgeSeconds = 15): Promise<EntropyState> {
  const rows: { snapshot: Record<string, unknown> | null; age: number | null }[] = await database.query(
    `SELECT snapshot, extract(epoch FROM clock_timestamp() - updated_at)::float8 AS age FROM entropy_state WHERE id = 1`,
  )
  const { snapshot, age } = rows[0] ?? { snapshot: null, age: null }
  const state = snapshot?.state
  const known = age !== null && age <= maxAgeSeconds && (state === 'ready' || state === 'low' || state === 'empty')
  return { state: known ? state : 'unknown', ageSeconds: age === null ? null : Math.round(age), snapshot }
}
