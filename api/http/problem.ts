import { STATUS_CODES } from 'node:http'
import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { describeError, ServiceError } from '@perigee/core'
import type { z } from 'zod'
import { isDatabaseAway } from '../../database/index.js'
import type { problemSchema } from '../schemas.js'
import { contextOf } from './requestContext.js'

/** RFC 9457. `code` is the stable part; `detail` is for people. */
export function toProblem(error: ServiceError, requestId: string): z.infer<typeof problemSchema> {
  return {
    type: `urn:perigee:problem:${error.code}`,
    title: STATUS_CODES[error.status] ?? 'Error',
    status: error.status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(Object.keys(error.facts).length > 0 && { facts: error.facts }),
  }
}

export function sendProblem(res: Response, error: ServiceError, more: Record<string, unknown> = {}): void {
  const context = contextOf(res)
  context.code = error.code
  const problem = { ...toProblem(error, context.requestId), ...more }
  res.status(error.status).type('application/problem+json').setHeader('cache-control', 'no-store')
  const wait = error.facts['retryAfterSeconds']
  if (typeof wait === 'number') res.setHeader('retry-after', String(Math.max(1, Math.ceil(wait))))
  res.send(JSON.stringify(problem))
}

/** Maps what Express and its body reader throw. Anything unknown is our fault and reveals nothing. */
function translate(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const { type, status } = (error ?? {}) as { type?: string; status?: number }
  if (type === 'entity.too.large')
    return new ServiceError('payload_too_large', 'the body is larger than this route takes')
  if (type === 'encoding.unsupported') {
    return new ServiceError('unsupported_media_type', 'send the body without content-encoding')
  }
  if (status === 400) return new ServiceError('invalid_request', 'the request could not be read', {}, error)
  if (isDatabaseAway(error)) {
    return new ServiceError('service_unavailable', 'the database does not answer', { retryAfterSeconds: 1 }, error)
  }
  return new ServiceError('internal_error', 'something went wrong on our side', {}, error)
}

/** The one error handler. */
export const handleErrors: ErrorRequestHandler = (error, _req, res, _next) => {
  const known = translate(error)
  const { logger } = contextOf(res)
  if (known.status >= 500) logger.error({ code: known.code, ...describeError(known) }, 'request failed')
  else logger.debug({ code: known.code }, 'request refused')
  if (res.headersSent) return void res.destroy()
  sendProblem(res, known)
}

export const notFound: RequestHandler = () => {
  throw new ServiceError('not_found', 'there is nothing at this address; GET /openapi.json lists the routes')
}

export function methodNotAllowed(allowed: string[]): RequestHandler {
  return (_req, res) => {
    res.setHeader('allow', allowed.join(', '))
    throw new ServiceError('method_not_allowed', `this address answers ${allowed.join(', ')}`)
  }
}
