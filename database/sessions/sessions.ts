import { IsNull, LessThan, MoreThan, type DataSource } from 'typeorm'
import type { SessionUser } from '@perigee/core'
import { prepared } from '../prepared.js'
import { SessionEntity, type Session } from './Session.js'

/** A session that was alive when it was read, with its owner. */
export interface LiveSession {
  id: string
  user: SessionUser
  /** Whom the identity provider says this is; not for others' eyes. */
  identity: { issuer: string; subject: string }
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
  const [row] = await prepared<SessionRow>(
    database,
    'find_live_session',
    `SELECT s.id, s.last_seen_at, u.id AS user_id, u.email, u.name, u.issuer, u.subject
       FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE s.secret_hash = $1 AND s.revoked_at IS NULL AND s.expires_at > $2 AND s.last_seen_at > $3`,
    [secretHash, now, idleSince],
  )
  if (!row) return null
  const { id, last_seen_at: lastSeenAt, user_id: userId, email, name, issuer, subject } = row
  return { id, lastSeenAt, user: { id: userId, email, name }, identity: { issuer, subject } }
}

interface SessionRow {
  id: string
  last_seen_at: Date
  user_id: string
  email: string
  name: string | null
  issuer: string
  subject: string
}

/** The sessions of a user that are alive, the one used last first. */
export function findLiveSessionsOf(
  database: DataSource,
  userId: string,
  now: Date,
  idleSince: Date,
): Promise<Pick<Session, 'id' | 'createdAt' | 'lastSeenAt' | 'expiresAt'>[]> {
  return database.getRepository(SessionEntity).find({
    select: { id: true, createdAt: true, lastSeenAt: true, expiresAt: true },
    where: { userId, revokedAt: IsNull(), expiresAt: MoreThan(now), lastSeenAt: MoreThan(idleSince) },
    order: { lastSeenAt: 'DESC' },
  })
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

/** Ends one session of this user; false when they have no such session, or it had ended. */
export async function revokeOwnSession(database: DataSource, userId: string, id: string, now: Date): Promise<boolean> {
  const result = await database
    .getRepository(SessionEntity)
    .update({ id, userId, revokedAt: IsNull(), expiresAt: MoreThan(now) }, { revokedAt: now })
  return result.affected === 1
}

/** Ends every session of a user; returns how many were alive. */
export async function revokeSessionsOf(database: DataSource, userId: string, now: Date): Promise<number> {
  const result = await database
    .getRepository(SessionEntity)
    .update({ userId, revokedAt: IsNull(), expiresAt: MoreThan(now) }, { revokedAt: now })
  return result.affected ?? 0
}
