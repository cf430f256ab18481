import express, { type RequestHandler } from 'express'
import { parseStrictJson, ServiceError } from '@perigee/core'

const bodyLimitBytes = 64 * 1024

// Compressed bodies are refused: nothing we accept is large, and a small body must not become a large one.
const readBytes = express.raw({ type: () => true, limit: bodyLimitBytes, inflate: false })
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads the body as strict UTF-8 JSON into `req.body`; an absent or empty body is `undefined`. */
export const readJson: RequestHandler[] = [
  readBytes,
  (req, _res, next) => {
    const bytes: unknown = req.body
    req.body = Buffer.isBuffer(bytes) && bytes.length > 0 ? parseBody(decode(bytes)) : undefined
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
export function parseBody(text: string): unknown {
  try {
    return parseStrictJson(text, { maxDepth: 16, refusedNames: ['__proto__'], anyScalar: true })
  } catch (error) {
    throw new ServiceError('invalid_request', `the body is refused: ${(error as Error).message}`)
  }
}

/** True for `application/json`, with no parameter but `charset=utf-8`. */
export function isJsonContentType(header: string | undefined): boolean {
  return /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i.test(header ?? '')
}
