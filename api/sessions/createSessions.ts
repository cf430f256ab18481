import { createHash, randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { Hex } from '@perigee/core'
import {
  findLiveSession,
  findLiveSessionsOf,
  insertSession,
  revokeSessions,
  touchSession,
  type LiveSession,
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

/** The cookie names a session and says who it is, the table decides whether it lives. */
export function createSessions({ settings, database, now }: Pick<ApiDeps, 'settings' | 'database' | 'now'>) {
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

  /** The live session of this request, or null. */
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
  const end = (which: { userId: string; id?: string }): Promise<number> =>
    revokeSessions(database, which, now()).finally(() => seenLive.clear())

  return {
    /** Whom the cookie names; null when it does not open or its session is known to have ended. Asks no database. */
    async claimed(req: Request) {
      const sealed = await open(req)
      return sealed && !ended.has(nameOf(sealed)) ? sealed.subject : null
    },
    /** Whether the cookie's session lives. Asks the table once a minute; true while the database does not answer. */
    async isLive(req: Request) {
      const sealed = await open(req)
      if (!sealed) return false
      // Without the database the request is counted all the same; what it asks for will fail.
      if (!seenLive.has(nameOf(sealed))) await peek(req).catch(() => null)
      return !ended.has(nameOf(sealed))
    },
    peek,
    /** The same as `peek`, and its person is active: the idle time-out starts again. */
    async find(req: Request) {
      const session = await peek(req)
      const at = now()
      if (session && at.getTime() - session.lastSeenAt.getTime() > touchEveryMs) {
        await touchSession(database, session.id, at)
      }
      return session
    },
    /** Starts a session under a new id and ends the one that the browser had (ASVS 7.2.4). */
    async start(req: Request, res: Response, userId: string, subject: Hex) {
      const earlier = await peek(req)
      if (earlier) await end({ userId: earlier.user.id, id: earlier.id })
      const at = now()
      const sid = randomBytes(32).toString('base64url')
      const expiresAt = later(at, settings.sessionAbsoluteSeconds)
      await insertSession(database, { secretHash: hashOf(sid), userId, createdAt: at, expiresAt })
      await cookie.write(res, { sid, subject })
    },
    /** Ends every session of a user, or the one with this id; returns how many were alive. */
    end,
    /** The live sessions of the same person. */
    list(session: LiveSession) {
      const at = now()
      return findLiveSessionsOf(database, session.user.id, at, later(at, -settings.sessionIdleSeconds))
    },
    clearCookie: cookie.clear,
  }
}
export type Sessions = ReturnType<typeof createSessions>

const nameOf = ({ sid }: SealedSession): string => hashOf(sid).toString('base64url')

function hashOf(sid: string): Buffer {
  return createHash('sha256').update(String(sid)).digest()
}
