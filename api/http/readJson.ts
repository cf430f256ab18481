import express, { type RequestHandler } from 'express'
import { parseStrictJson, ServiceError } from '@perigee/core'

/** Bytes, and levels of JSON, where a route does not say otherwise. */
export const usualBody = { bytes: 64 * 1024, depth: 16 }

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads the body as strict UTF-8 JSON into `req.body`; an absent or empty body is `undefined`. */
export const createReadJson = ({ bytes: limit, depth } = usualBody): RequestHandler[] => [
  // Compressed bodies are refused: nothing we accept is large, and a small body must not become a large one.
  express.raw({ type: () => true, limit, inflate: false }),
  (req, _res, next) => {
    const bytes: unknown = req.body
    req.body = Buffer.isBuffer(bytes) && bytes.length > 0 ? parseBody(decode(bytes), depth) : undefined
    next()
  },
]

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ServiceError('invalid_request', 'the body is not UTF-8')
  }
}

/** Strict JSON: two readers of one body must not see different transactions. Throws `invalid_request`. */
export function parseBody(text: string, maxDepth = usualBody.depth): unknown {
  try {
    return parseStrictJson(text, { maxDepth, refusedNames: ['__proto__'], anyScalar: true })
  } catch (error) {
    throw new ServiceError('invalid_request', `the body is refused: ${(error as Error).message}`)
  }
}

/** True for `application/json`, with no parameter but `charset=utf-8`. */
export function isJsonContentType(header: string | undefined): boolean {
  return /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i.test(header ?? '')
}
