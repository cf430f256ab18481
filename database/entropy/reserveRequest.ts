import type { DataSource } from 'typeorm'
import { EntropySourceEntity } from '../entities/EntropySource.js'
import { insertNew } from '../insertNew.js'

export interface RequestLimits {
  requests: number
  perSeconds: number
  samplesPerDay: number | null
}

/** How many samples may be asked for now; zero with the seconds to wait when none may. */
export type Reservation = { samples: number; retryAfterSeconds: number }

const today = `(clock_timestamp() AT TIME ZONE 'UTC')::date`

/**
 * Books one request for up to `samples` samples, for all workers together. Never given back: a request that failed may
 * still have cost the source. At most `requests` in ANY window of `perSeconds`: a quarter of them may come at once, the
 * rest are spread evenly (generic cell rate algorithm).
 */
export async function reserveRequest(
  database: DataSource,
  source: string,
  samples: number,
  limits: RequestLimits,
): Promise<Reservation> {
  const burst = Math.max(1, Math.floor(limits.requests / 4))
  const interval = limits.perSeconds / Math.max(1, limits.requests - burst)
  return database.transaction(async (manager) => {
    const firstRow = { source, nextRequestAt: () => 'clock_timestamp()', day: () => today, daySamples: 0 }
    await insertNew(manager, EntropySourceEntity, firstRow)
    // SQL: a row lock, with sums on the database's clock.
    const rows: { ahead: number; used: number; day_left: number }[] = await manager.query(
      `SELECT greatest(0, extract(epoch FROM next_request_at - clock_timestamp()))::float8 AS ahead,
              CASE WHEN day = ${today} THEN day_samples ELSE 0 END AS used,
              extract(epoch FROM date_trunc('day', clock_timestamp(), 'UTC') + interval '1 day' - clock_timestamp())::float8 AS day_left
         FROM entropy_sources WHERE source = $1 FOR UPDATE`,
      [source],
    )
    const { ahead, used, day_left } = rows[0]!
    const room = limits.samplesPerDay === null ? samples : Math.min(samples, limits.samplesPerDay - used)
    if (room <= 0) return { samples: 0, retryAfterSeconds: Math.ceil(day_left) }
    // `ahead` is how far the booked requests reach into the future; a burst of `burst` is allowed to be booked at once.
    const tooFar = ahead - interval * (burst - 1)
    if (tooFar > 0) return { samples: 0, retryAfterSeconds: tooFar }
    await manager
      .createQueryBuilder()
      .update(EntropySourceEntity)
      .set({
        nextRequestAt: () => 'clock_timestamp() + make_interval(secs => :seconds)',
        day: () => today,
        daySamples: used + room,
      })
      .where({ source })
      .setParameters({ seconds: ahead + interval })
      .execute()
    return { samples: room, retryAfterSeconds: 0 }
  })
}
