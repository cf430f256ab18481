import { IsNull, Raw, type DataSource } from 'typeorm'
import { IdempotencyKeyEntity, type IdempotencyKey } from '../entities/Request.js'

export type IdempotencyClaim = Pick<IdempotencyKey, 'userId' | 'route' | 'keyHash' | 'fingerprint' | 'owner'>

export type ClaimResult =
  { kind: 'claimed' } | { kind: 'in_flight' } | { kind: 'mismatch' } | ({ kind: 'answered' } & KeptAnswer)

export interface KeptAnswer {
  status: number
  body: string
}

/**
 * A request that died with its process holds its key no longer than this. Short, because its client is waiting; safe,
 * because two requests with one key that run at once get the same answer from the service.
 */
const lockSeconds = 8
const keepHours = 24

// SQL: neither statement waits for the disk. After a crash of Postgres that forgot a key or an answer, the service answers
// the same again. The claim is an upsert that takes an expired or abandoned key over, and returns whether it did.
const withoutWaiting = `set_config('synchronous_commit', 'off', true)`
const claimSql = `
  INSERT INTO idempotency_keys AS held (user_id, route, key_hash, fingerprint, owner, locked_until, expires_at)
  VALUES ($1, $2, $3, $4, $5, clock_timestamp() + interval '${lockSeconds} s',
          clock_timestamp() + interval '${keepHours} h')
  ON CONFLICT (user_id, route, key_hash) DO UPDATE
    SET fingerprint = excluded.fingerprint, owner = excluded.owner, status = NULL, body = NULL,
        locked_until = excluded.locked_until, expires_at = excluded.expires_at
    WHERE held.expires_at < clock_timestamp()
       OR (held.status IS NULL AND held.locked_until < clock_timestamp() AND held.fingerprint = excluded.fingerprint)
  RETURNING ${withoutWaiting}`

const keepSql = `
  UPDATE idempotency_keys SET status = $5, body = $6
   WHERE user_id = $1 AND route = $2 AND key_hash = $3 AND owner = $4 RETURNING ${withoutWaiting}`

/** Takes the key for this request, unless it is taken, answered or was used for another request. */
export async function claimIdempotencyKey(database: DataSource, claim: IdempotencyClaim): Promise<ClaimResult> {
  const { userId, route, keyHash, fingerprint, owner } = claim
  const claimed = await database.query<unknown[]>(claimSql, [userId, route, keyHash, fingerprint, owner])
  if (claimed.length > 0) return { kind: 'claimed' }
  const held = await database.getRepository(IdempotencyKeyEntity).findOneBy({ userId, route, keyHash })
  if (!held) return claimIdempotencyKey(database, claim) // given back between the two statements
  if (!held.fingerprint.equals(fingerprint)) return { kind: 'mismatch' }
  if (held.status === null) return { kind: 'in_flight' }
  return { kind: 'answered', status: held.status, body: held.body ?? '' }
}

/** The answer that this request got before with this key; null when there is none. */
export async function findIdempotentAnswer(
  database: DataSource,
  { userId, route, keyHash, fingerprint }: IdempotencyClaim,
): Promise<KeptAnswer | null> {
  const expiresAt = Raw((column) => `${column} > clock_timestamp()`)
  const where = { userId, route, keyHash, fingerprint, expiresAt }
  const held = await database.getRepository(IdempotencyKeyEntity).findOneBy(where)
  return held && held.status !== null ? { status: held.status, body: held.body ?? '' } : null
}

/** Keeps the answer for requests that send the key again. */
export async function keepIdempotentAnswer(
  database: DataSource,
  { userId, route, keyHash, owner }: IdempotencyClaim,
  { status, body }: KeptAnswer,
): Promise<void> {
  await database.query(keepSql, [userId, route, keyHash, owner, status, body])
}

/** Gives the key back after a failure that a retry may fix. */
export async function releaseIdempotencyKey(
  database: DataSource,
  { userId, route, keyHash, owner }: IdempotencyClaim,
): Promise<void> {
  await database.getRepository(IdempotencyKeyEntity).delete({ userId, route, keyHash, owner, status: IsNull() })
}
