import type { DataSource } from 'typeorm'

export interface LimitState {
  allowed: boolean
  /** Milliseconds until the bucket is full again; 0 when it is full. */
  busyMs: number
}

// SQL: one upsert decides, counts and returns, so concurrent requests cannot both take the last place. It does
// not wait for the disk: a crash may forget the last few requests of a limit, which then forgives them. A refused request
// reads the row under a lock: without one it would see it as it was before the requests that it waited for.
const takeSql = `
  WITH taken AS (
    INSERT INTO rate_limits AS limits (key, free_at) VALUES ($1, clock_timestamp() + $2 * interval '1 ms')
    ON CONFLICT (key) DO UPDATE SET free_at = greatest(limits.free_at, clock_timestamp()) + $2 * interval '1 ms'
      WHERE limits.free_at <= clock_timestamp() + ($3 - 1) * $2 * interval '1 ms'
    RETURNING free_at),
  refused AS (
    SELECT free_at FROM rate_limits WHERE key = $1 AND NOT EXISTS (SELECT 1 FROM taken) FOR UPDATE)
  SELECT set_config('synchronous_commit', 'off', true) IS NOT NULL AS allowed,
         extract(epoch FROM free_at - clock_timestamp()) * 1000 AS busy FROM taken
  UNION ALL
  SELECT false, extract(epoch FROM free_at - clock_timestamp()) * 1000 FROM refused`

/** One request against a limit that all processes share (GCRA). The clock is the database's. */
export async function takeFromLimit(
  database: DataSource,
  key: string,
  { intervalMs, burst }: { intervalMs: number; burst: number },
): Promise<LimitState> {
  const [row] = await database.query<{ busy: string; allowed: boolean }[]>(takeSql, [key, intervalMs, burst])
  return { allowed: row?.allowed ?? false, busyMs: Math.max(0, Number(row?.busy ?? intervalMs)) }
}
