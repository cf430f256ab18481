import type { RequestHandler, Response } from 'express'
import { ServiceError } from '@perigee/core'
import { contextOf } from '../http/requestContext.js'
import type { OpenSession, Sessions } from './createSessions.js'

/** Lets only requests with a live session through. */
export function createRequireUser(sessions: Sessions): RequestHandler {
  return async (req, res, next) => {
    const session = await sessions.find(req)
    if (!session) throw new ServiceError('not_signed_in', 'sign in first, at GET /auth/{provider}')
    contextOf(res).session = session
    res.setHeader('cache-control', 'no-store')
    next()
  }
}

/** The session that `requireUser` let through. */
export function sessionOf(res: Response): OpenSession {
  const { session } = contextOf(res)
  if (!session) throw new ServiceError('not_signed_in', 'sign in first, at GET /auth/{provider}')
  return session
}
