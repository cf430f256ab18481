import type { DataSource } from 'typeorm'
import { prepared } from '../prepared.js'

export interface LimitState {
  allowed: boolean
  /** How far in the future the bucket is free again, in milliseconds; 0 is a full bucket. */
  busyMs: number
}

/**
 * One request against a limit that every process shares (GCRA: the row holds when the bucket will be full again). One
 * statement decides and counts, so concurrent requests cannot both take the last place. The clock is the database's.
 */
export async function takeFromLimit(
  database: DataSource,
  key: string,
  { intervalMs, burst }: { intervalMs: number; burst: number },
): Promise<LimitState> {
  const [row] = await prepared<{ busy: number; allowed: boolean }>(
    database,
    'take_from_limit',
    `WITH taken AS (
       INSERT INTO rate_limits AS limits (key, free_at) VALUES ($1, clock_timestamp() + $2 * interval '1 ms')
       ON CONFLICT (key) DO UPDATE SET free_at = greatest(limits.free_at, clock_timestamp()) + $2 * interval '1 ms'
         WHERE limits.free_at <= clock_timestamp() + ($3 - 1) * $2 * interval '1 ms'
       RETURNING free_at)
     SELECT true AS allowed, extract(epoch FROM free_at - clock_timestamp()) * 1000 AS busy FROM taken
     UNION ALL
     SELECT false, extract(epoch FROM free_at - clock_timestamp()) * 1000 FROM rate_limits
      WHERE key = $1 AND NOT EXISTS (SELECT 1 FROM taken)`,
    [key, intervalMs, burst],
  )
  return { allowed: row?.allowed ?? false, busyMs: Math.max(0, Number(row?.busy ?? intervalMs)) }
}

/** Forgets limits that are full again. */
export async function sweepLimits(database: DataSource): Promise<void> {
  await database.query(`DELETE FROM rate_limits WHERE free_at < clock_timestamp()`)
}
