import type { DataSource } from 'typeorm'

export interface IdempotencyClaim {
  userId: string
  route: string
  keyHash: Buffer
  /** Hash of what was asked: the same key must not stand for two requests. */
  fingerprint: Buffer
  /** Names this attempt, so that only it can finish or give back what it claimed. */
  owner: string
}

export type ClaimResult =
  | { kind: 'claimed' }
  | { kind: 'in_flight' }
  | { kind: 'mismatch' }
  | { kind: 'answered'; status: number; body: string }

/**
 * A request that died with its process holds its key no longer than this. Short, because its client is waiting; safe,
 * because what is behind the key gives the same answer when two requests do it at once.
 */
const lockSeconds = 8
const keepHours = 24

/** Takes the key for this request, unless it is taken, answered or was used for something else. */
export async function claimIdempotencyKey(database: DataSource, claim: IdempotencyClaim): Promise<ClaimResult> {
  const { userId, route, keyHash, fingerprint, owner } = claim
  const [claimed] = await database.query<unknown[]>(
    `INSERT INTO idempotency_keys AS held (user_id, route, key_hash, fingerprint, owner, locked_until, expires_at)
     VALUES ($1, $2, $3, $4, $5, clock_timestamp() + interval '${lockSeconds} s',
             clock_timestamp() + interval '${keepHours} h')
     ON CONFLICT (user_id, route, key_hash) DO UPDATE
       SET fingerprint = excluded.fingerprint, owner = excluded.owner, status = NULL, body = NULL,
           locked_until = excluded.locked_until, expires_at = excluded.expires_at
       WHERE held.expires_at < clock_timestamp()
          OR (held.status IS NULL AND held.locked_until < clock_timestamp() AND held.fingerprint = excluded.fingerprint)
     RETURNING owner`,
    [userId, route, keyHash, fingerprint, owner],
  )
  if (claimed) return { kind: 'claimed' }
  const [held] = await database.query<{ fingerprint: Buffer; status: number | null; body: string | null }[]>(
    `SELECT fingerprint, status, body FROM idempotency_keys WHERE user_id = $1 AND route = $2 AND key_hash = $3`,
    [userId, route, keyHash],
  )
  if (!held) return claimIdempotencyKey(database, claim) // given back between the two statements
  if (!held.fingerprint.equals(fingerprint)) return { kind: 'mismatch' }
  if (held.status === null) return { kind: 'in_flight' }
  return { kind: 'answered', status: held.status, body: held.body ?? '' }
}

/** Keeps the answer for whoever sends the key again. */
export async function keepIdempotentAnswer(
  database: DataSource,
  { userId, route, keyHash, owner }: IdempotencyClaim,
  answer: { status: number; body: string },
): Promise<void> {
  await database.query(
    `UPDATE idempotency_keys SET status = $5, body = $6
      WHERE user_id = $1 AND route = $2 AND key_hash = $3 AND owner = $4`,
    [userId, route, keyHash, owner, answer.status, answer.body],
  )
}

/** Gives the key back after a failure that a retry may mend. */
export async function releaseIdempotencyKey(
  database: DataSource,
  { userId, route, keyHash, owner }: IdempotencyClaim,
): Promise<void> {
  await database.query(
    `DELETE FROM idempotency_keys
      WHERE user_id = $1 AND route = $2 AND key_hash = $3 AND owner = $4 AND status IS NULL`,
    [userId, route, keyHash, owner],
  )
}

export async function sweepIdempotencyKeys(database: DataSource): Promise<void> {
  await database.query(`DELETE FROM idempotency_keys WHERE expires_at < clock_timestamp()`)
}
