import { IsNull, LessThan, MoreThan, type DataSource } from 'typeorm'
import type { SessionUser } from '@perigee/core'
import { SessionEntity, type Session } from './Session.js'

/** A session that was alive when it was read, with its owner. */
export interface LiveSession {
  id: string
  user: SessionUser
  lastSeenAt: Date
}

export async function insertSession(
  database: DataSource,
  session: Pick<Session, 'secretHash' | 'userId' | 'createdAt' | 'expiresAt'>,
): Promise<string> {
  const saved = await database
    .getRepository(SessionEntity)
    .save({ ...session, lastSeenAt: session.createdAt, revokedAt: null })
  return saved.id
}

/** The session with this hash, when it is neither revoked nor expired nor idle since before `idleSince`. */
export async function findLiveSession(
  database: DataSource,
  secretHash: Buffer,
  now: Date,
  idleSince: Date,
): Promise<LiveSession | null> {
  const rows: { id: string; last_seen_at: Date; user_id: string; email: string; name: string | null }[] =
    await database.query(
      `SELECT s.id, s.last_seen_at, u.id AS user_id, u.email, u.name
         FROM sessions s JOIN users u ON u.id = s.user_id
        WHERE s.secret_hash = $1 AND s.revoked_at IS NULL AND s.expires_at > $2 AND s.last_seen_at > $3`,
      [secretHash, now, idleSince],
    )
  const row = rows[0]
  if (!row) return null
  return { id: row.id, lastSeenAt: row.last_seen_at, user: { id: row.user_id, email: row.email, name: row.name } }
}

/** Moves the idle clock forward, never back, and never revives a session that died meanwhile. */
export async function touchSession(database: DataSource, id: string, now: Date): Promise<void> {
  await database
    .getRepository(SessionEntity)
    .update({ id, revokedAt: IsNull(), lastSeenAt: LessThan(now) }, { lastSeenAt: now })
}

/** Ends one session. Repeating it changes nothing. */
export async function revokeSession(database: DataSource, id: string, now: Date): Promise<void> {
  await database.getRepository(SessionEntity).update({ id, revokedAt: IsNull() }, { revokedAt: now })
}

/** Ends every session of a user; returns how many were alive. */
export async function revokeSessionsOf(database: DataSource, userId: string, now: Date): Promise<number> {
  const result = await database
    .getRepository(SessionEntity)
    .update({ userId, revokedAt: IsNull(), expiresAt: MoreThan(now) }, { revokedAt: now })
  return result.affected ?? 0
}
