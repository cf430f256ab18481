import { randomBytes } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import type { LiveSession } from '../../database/index.js'

/** What the steps of one request share. */
export interface RequestContext {
  requestId: string
  logger: Logger
  /** The route's pattern, never the URL: URLs hold slugs and authorization codes. */
  route: string
  session?: LiveSession
}

export function contextOf(res: Response): RequestContext {
  return res.locals as RequestContext
}

/** Names the request and logs its end. What a client sends is never used as the id, so a log line cannot be forged. */
export function createRequestContext(logger: Logger): RequestHandler {
  return (req, res, next) => {
    const context = contextOf(res)
    context.requestId = randomBytes(12).toString('base64url')
    context.logger = logger.child({ requestId: context.requestId })
    context.route = 'none'
    res.setHeader('x-request-id', context.requestId)
    const started = performance.now()
    res.once('close', () => {
      const line = { ...summary(req, res), durationMs: Math.round(performance.now() - started) }
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
