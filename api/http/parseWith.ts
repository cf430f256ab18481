import type { RequestHandler } from 'express'
import type { z } from 'zod'
import { ServiceError, type ErrorCode } from '@perigee/core'
import { emptyBodySchema } from '../schemas.js'

/** Takes anything; returns what the schema describes, or throws naming every wrong field. */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown, code: ErrorCode = 'invalid_request'): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const wrong = result.error.issues.map((issue) => `${issue.path.join('.') || 'request'}: ${issue.message}`)
  throw new ServiceError(code, wrong.slice(0, 20).join('; '))
}

/** For routes without a body: none and `{}` are the same request. */
export const parseEmptyBody: RequestHandler = (req, _res, next) => {
  req.body = parseWith(emptyBodySchema, req.body === undefined ? {} : req.body)
  next()
}
