import type { RequestHandler } from 'express'
import { ServiceError } from '@perigee/core'

/** RFC 9112, section 3.2: one Host header, except in HTTP/1.0. Node drops duplicates, so raw headers are counted. */
export const requireHost: RequestHandler = (req, _res, next) => {
  const hosts = req.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts > 1 || (hosts === 0 && req.httpVersion !== '1.0')) {
    throw new ServiceError('invalid_request', 'send one Host header')
  }
  next()
}
