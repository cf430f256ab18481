import { randomBytes } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import type { ErrorCode } from '@perigee/core'
import type { OpenSession } from '../sessions/createSessions.js'
import type { ApiMeter } from '../monitoring/ApiMeter.js'

/** What the steps of one request share. */
export interface RequestContext {
  requestId: string
  logger: Logger
  /** Links log lines to the trace, if there is one. */
  traceId?: string
  /** The route's pattern, never the URL: URLs hold slugs and authorization codes. */
  route: string
  session?: OpenSession
  /** The error code, when the answer was a problem. */
  code?: ErrorCode
}

export function contextOf(res: Response): RequestContext {
  return res.locals as RequestContext
}

/** Gives the request an id and logs its end. The id never comes from the client, so log lines cannot be forged. */
export function createRequestContext(logger: Logger, meter: ApiMeter): RequestHandler {
  return (req, res, next) => {
    const context = contextOf(res)
    context.requestId = randomBytes(12).toString('base64url')
    const { requestId, traceId } = context
    context.logger = logger.child({ requestId, ...(traceId && { traceId }) })
    context.route = 'none'
    res.setHeader('x-request-id', context.requestId)
    const started = performance.now()
    meter.requestStarted()
    res.once('close', () => {
      const ms = performance.now() - started
      const { route, code } = context
      meter.requestEnded({
        method: req.method,
        route,
        status: res.statusCode,
        seconds: ms / 1000,
        finished: res.writableFinished,
        ...(code && { code }),
      })
      const line = { ...summary(req, res), durationMs: Math.round(ms) }
      if (res.statusCode >= 500) context.logger.error(line, 'request failed')
      else context.logger.info(line, res.writableFinished ? 'request' : 'request abandoned by the client')
    })
    next()
  }
}

function summary(req: Request, res: Response) {
  const { route, session } = contextOf(res)
  return { method: req.method, route, status: res.statusCode, ...(session && { userId: session.user.id }) }
}
