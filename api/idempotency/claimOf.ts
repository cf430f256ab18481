import { createHash, randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import { canonicalJson, type Json } from '@perigee/core'
import type { IdempotencyClaim } from '../../database/index.js'
import { sessionOf } from '../sessions/createRequireUser.js'
import { parseIdempotencyKey } from './parseIdempotencyKey.js'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** The request by its user, key and content; null when it has no `Idempotency-Key`. */
export function claimOf(route: string, req: Request, res: Response): IdempotencyClaim | null {
  const key = parseIdempotencyKey(req.get('idempotency-key'))
  if (key === null) return null
  const fingerprint = sha256(canonicalJson((req.body ?? null) as Json))
  return { userId: sessionOf(res).user.id, route, keyHash: sha256(key), fingerprint, owner: randomUUID() }
}
