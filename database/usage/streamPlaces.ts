import { randomUUID } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { StreamPlaceEntity } from '../entities/Usage.js'
import { lockUntilCommit } from '../lockUntilCommit.js'

interface StreamHolder {
  /** See `clientAddress`. */
  address: string
  userId: string | null
}

interface StreamLimits {
  perAddress: number
  perUser: number
}

type StreamAnswer = { id: string } | { full: 'address' | 'user'; limit: number }

/** A place that is not renewed for this long is free again: its process is gone. */
export const placeSeconds = 45

// SQL: counts both in one round trip, by the database's clock.
const countSql = `
  SELECT count(*) FILTER (WHERE address = $1)::int AS address, count(*) FILTER (WHERE user_id = $2)::int AS "user"
    FROM stream_places WHERE (address = $1 OR user_id = $2) AND until > clock_timestamp()`
const insertSql = `
  INSERT INTO stream_places (id, address, user_id, until)
  VALUES ($1, $2, $3, clock_timestamp() + make_interval(secs => ${placeSeconds}))`

/** Takes a place for an event stream, unless the address or the user holds as many as they may. */
export function takeStreamPlace(
  database: DataSource,
  { address, userId }: StreamHolder,
  { perAddress, perUser }: StreamLimits,
): Promise<StreamAnswer> {
  return database.transaction(async (manager) => {
    // Processes together give out no more places than there are. Always address first, then user.
    await lockUntilCommit(manager, `streams/${address}`)
    if (userId) await lockUntilCommit(manager, `streams/${userId}`)
    const [held] = await manager.query<{ address: number; user: number }[]>(countSql, [address, userId])
    if ((held?.address ?? 0) >= perAddress) return { full: 'address', limit: perAddress }
    if ((held?.user ?? 0) >= perUser) return { full: 'user', limit: perUser }
    const id = randomUUID()
    await manager.query(insertSql, [id, address, userId])
    return { id }
  })
}

/** Keeps the place for another `placeSeconds`. */
export async function renewStreamPlace(database: DataSource, id: string): Promise<void> {
  const until = () => `clock_timestamp() + make_interval(secs => ${placeSeconds})`
  await database.getRepository(StreamPlaceEntity).update({ id }, { until })
}

export async function leaveStreamPlace(database: DataSource, id: string): Promise<void> {
  await database.getRepository(StreamPlaceEntity).delete({ id })
}
