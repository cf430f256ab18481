import type { RequestHandler } from 'express'
import type { Tracing } from '../../temporal/index.js'
import { contextOf } from '../http/requestContext.js'

/** One trace for everything a request does, workflows and activities included. It is named by the route, not the URL. */
export function createTraceRequests(tracing: Pick<Tracing, 'request'>): RequestHandler {
  return (req, res, next) => {
    tracing.request((span) => {
      const context = contextOf(res)
      context.traceId = span.traceId
      res.once('close', () => {
        const { route, requestId, code } = context
        span.end({ method: req.method, route, status: res.statusCode, requestId, ...(code && { code }) })
      })
      next()
    })
  }
}
