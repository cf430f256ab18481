import { createHash, randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { Hex } from '@perigee/core'
import {
  findLiveSession,
  findLiveSessionsOf,
  insertSession,
  revokeOwnSession,
  revokeSession,
  revokeSessionsOf,
  touchSession,
  type LiveSession,
  type Session,
} from '../../database/index.js'
import type { ApiDeps } from '../ApiDeps.js'
import { createSealedCookie, usesSecureCookies } from './createSealedCookie.js'

export const sessionCookieName = 'perigee_session'
/** `lastSeenAt` is written at most this often, so that most requests only read. */
const touchEveryMs = 60_000
/** How long a session that ended in another process may still count against its person's rate limit. */
const seenLiveMs = 60_000

/** What the cookie holds. Sealed, so neither the browser nor someone who writes to the database can change it. */
interface SealedSession {
  sid: string
  /** Who signed in, as statements and sealed keys name them. */
  subject: Hex
}

/** A live session and who opened it. The table says that it lives and for which user; who it is, the cookie says. */
export interface OpenSession extends LiveSession {
  subject: Hex
}

/** Sessions: the cookie names one and says who it is, the table decides whether it lives. */
export interface Sessions {
  /** Whom the cookie names; null when it does not open or its session is known to have ended. Asks no database. */
  claimed(req: Request): Promise<Hex | null>
  /** Whether the cookie's session lives. Asks the table once a minute; true while the database does not answer. */
  isLive(req: Request): Promise<boolean>
  /** The live session of this request, or null. */
  peek(req: Request): Promise<OpenSession | null>
  /** The same, and its person is active: the idle time-out starts again. */
  find(req: Request): Promise<OpenSession | null>
  /** Starts a session under a new id and ends the one that the browser had (ASVS 7.2.4). */
  start(req: Request, res: Response, userId: string, subject: Hex): Promise<void>
  end(session: LiveSession): Promise<void>
  /** Ends every session of a user; returns how many were alive. */
  endAllOf(userId: string): Promise<number>
  /** The live sessions of the same person. */
  list(session: LiveSession): Promise<Pick<Session, 'id' | 'createdAt' | 'lastSeenAt' | 'expiresAt'>[]>
  /** Ends a session of the same person; false when there is none with this id. */
  endOwn(session: LiveSession, id: string): Promise<boolean>
  clearCookie(res: Response): void
}

export function createSessions({ settings, database, now }: Pick<ApiDeps, 'settings' | 'database' | 'now'>): Sessions {
  const cookie = createSealedCookie<SealedSession>({
    name: sessionCookieName,
    secrets: settings.sessionSecrets,
    sameSite: settings.cookieSameSite,
    secure: usesSecureCookies(settings),
    maxAgeSeconds: settings.sessionAbsoluteSeconds,
    cache: { ttl: 60_000, max: 10_000 }, // the table is still asked at every request whether the session is live
  })
  const later = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1000)

  /** Sessions that have ended; they never come back. A request with such a cookie counts by address, not against the person. */
  const ended = new LRUCache<string, true>({ max: 10_000 })
  const seenLive = new LRUCache<string, true>({ max: 10_000, ttl: seenLiveMs })
  const opened = new WeakMap<Request, Promise<SealedSession | null>>()
  const open = (req: Request) => {
    const known = opened.get(req) ?? cookie.read(req)
    opened.set(req, known)
    return known
  }

  async function peek(req: Request): Promise<OpenSession | null> {
    const sealed = await open(req)
    if (!sealed?.subject || ended.has(nameOf(sealed))) return null
    const at = now()
    const session = await findLiveSession(database, hashOf(sealed.sid), at, later(at, -settings.sessionIdleSeconds))
    if (session) seenLive.set(nameOf(sealed), true)
    else ended.set(nameOf(sealed), true)
    return session && { ...session, subject: sealed.subject }
  }

  /** After every revocation: each session is looked up again, which is cheaper than knowing which has ended. */
  const afterwards = <T>(revoked: Promise<T>): Promise<T> => revoked.finally(() => seenLive.clear())

  return {
    async claimed(req) {
      const sealed = await open(req)
      return sealed && !ended.has(nameOf(sealed)) ? sealed.subject : null
    },
    async isLive(req) {
      const sealed = await open(req)
      if (!sealed) return false
      // Without the database the request is counted all the same; what it asks for will fail.
      if (!seenLive.has(nameOf(sealed))) await peek(req).catch(() => null)
      return !ended.has(nameOf(sealed))
    },
    peek,
    async find(req) {
      const session = await peek(req)
      const at = now()
      if (session && at.getTime() - session.lastSeenAt.getTime() > touchEveryMs) {
        await touchSession(database, session.id, at)
      }
      return session
    },
    async start(req, res, userId, subject) {
      const earlier = await peek(req)
      const at = now()
      if (earlier) await afterwards(revokeSession(database, earlier.id, at))
      const sid = randomBytes(32).toString('base64url')
      await insertSession(database, {
        secretHash: hashOf(sid),
        userId,
        createdAt: at,
        expiresAt: later(at, settings.sessionAbsoluteSeconds),
      })
      await cookie.write(res, { sid, subject })
    },
    end: (session) => afterwards(revokeSession(database, session.id, now())),
    endAllOf: (userId) => afterwards(revokeSessionsOf(database, userId, now())),
    list(session) {
      const at = now()
      return findLiveSessionsOf(database, session.user.id, at, later(at, -settings.sessionIdleSeconds))
    },
    endOwn: (session, id) => afterwards(revokeOwnSession(database, session.user.id, id, now())),
    clearCookie: cookie.clear,
  }
}

const nameOf = ({ sid }: SealedSession): string => hashOf(sid).toString('base64url')

function hashOf(sid: string): Buffer {
  return createHash('sha256').update(String(sid)).digest()
}
