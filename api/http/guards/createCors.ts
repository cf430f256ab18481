import type { RequestHandler } from 'express'
import { ServiceError } from '@perigee/core'

const preflightSeconds = 600
const allowedHeaders = 'content-type, idempotency-key, last-event-id'
const exposedHeaders = 'etag, idempotency-replayed, ratelimit, ratelimit-policy, retry-after, x-request-id'

/** Lets allow-listed origins (exact match) read answers and send cookies. No other origin reads anything. */
export function createCors(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins)
  return (req, res, next) => {
    res.vary('Origin')
    const origin = req.get('origin')
    const preflight = req.method === 'OPTIONS' && req.get('access-control-request-method') !== undefined
    if (origin === undefined || !allowed.has(origin)) {
      if (preflight) throw new ServiceError('origin_not_allowed', 'this origin is not on the allow-list')
      return next()
    }
    res.setHeader('access-control-allow-origin', origin)
    res.setHeader('access-control-allow-credentials', 'true')
    if (!preflight) {
      res.setHeader('access-control-expose-headers', exposedHeaders)
      return next()
    }
    res.vary('Access-Control-Request-Method').vary('Access-Control-Request-Headers')
    res.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
    res.setHeader('access-control-allow-headers', allowedHeaders)
    res.setHeader('access-control-max-age', String(preflightSeconds))
    res.status(204).end()
  }
}
