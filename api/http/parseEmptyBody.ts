import type { RequestHandler } from 'express'
import { emptyBodySchema } from '../schemas.js'
import { parseWith } from './parseWith.js'

/** For routes that need no body: none, or `{}`. */
export const parseEmptyBody: RequestHandler = (req, _res, next) => {
  req.body = parseWith(emptyBodySchema, req.body === undefined ? {} : req.body) // both are the same request
  next()
}
