import { createHash, randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import { canonicalJson, ServiceError, type Json } from '@perigee/core'
import type { IdempotencyClaim } from '../../database/index.js'
import { sessionOf } from '../sessions/createRequireUser.js'

/** The same rule as a pattern, for the documentation. */
export const idempotencyKeyPattern = '^(?:"(?:[ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"|[!#-+\\--\\[\\]-~]{1,255})$'

/** The key of an `Idempotency-Key` header: a structured-field string ("…", RFC 9651), or the same without quotes. */
export function parseIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null
  const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/.exec(header.trim())
  if (quoted) return (quoted[1] as string).replace(/\\(["\\])/g, '$1')
  if (/^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,255}$/.test(header)) return header
  throw new ServiceError(
    'invalid_request',
    'Idempotency-Key must be 1 to 255 visible characters, best in double quotes',
  )
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** The request by its user, key and content; null when it has no `Idempotency-Key`. */
export function claimOf(route: string, req: Request, res: Response): IdempotencyClaim | null {
  const key = parseIdempotencyKey(req.get('idempotency-key'))
  if (key === null) return null
  const fingerprint = sha256(canonicalJson((req.body ?? null) as Json))
  return { userId: sessionOf(res).user.id, route, keyHash: sha256(key), fingerprint, owner: randomUUID() }
}
