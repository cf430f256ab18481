import type { RequestHandler } from 'express'
import { z } from 'zod'
import { ServiceError } from '@perigee/core'
import { parseEmptyBody, parseWith } from '../http/parseWith.js'
import type { Route } from '../http/Route.js'
import type { RouteContext } from './RouteContext.js'
import { emptyBodySchema, ownSessionsSchema } from '../schemas.js'
import { sessionOf } from '../sessions/createRequireUser.js'

/** Lists and ends one's own sessions (ASVS 7.5.2). */
export function createSessionRoutes({ sessions, audit }: RouteContext): Route[] {
  const params = z.object({ id: z.uuid() })

  const listSessions: RequestHandler = async (_req, res) => {
    const current = sessionOf(res)
    const all = await sessions.list(current)
    res.json({ sessions: all.map((session) => ({ ...session, current: session.id === current.id })) })
  }

  const endSession: RequestHandler = async (req, res) => {
    const current = sessionOf(res)
    const { id } = parseWith(params, req.params, 'session_not_found')
    // Someone else's session and an unknown id get the same answer.
    const ended = await sessions.end({ userId: current.user.id, id })
    if (ended === 0) throw new ServiceError('session_not_found', 'you have no such session')
    if (id === current.id) sessions.clearCookie(res)
    await audit('session_ended', current.user.id, { sessionId: id, by: current.id })
    res.status(204).end()
  }

  return [
    {
      method: 'get',
      path: '/auth/sessions',
      operationId: 'listSessions',
      summary: 'The signed-in person’s sessions',
      session: true,
      answers: { 200: { description: 'the sessions, the one used last first', schema: ownSessionsSchema } },
      steps: [listSessions],
    },
    {
      method: 'delete',
      path: '/auth/sessions/:id',
      operationId: 'endSession',
      summary: 'Ends one of the signed-in person’s sessions',
      session: true,
      params,
      body: emptyBodySchema,
      answers: { 204: { description: 'it has ended; copies of its cookie are dead too' } },
      errors: ['session_not_found'],
      steps: [parseEmptyBody, endSession],
    },
  ]
}
