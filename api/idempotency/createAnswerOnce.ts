import { createHash, randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import { canonicalJson, ServiceError, type Json } from '@perigee/core'
import { claimIdempotencyKey, keepIdempotentAnswer, releaseIdempotencyKey } from '../../database/index.js'
import type { ApiDeps } from '../ApiDeps.js'
import { describe } from '../http/problem.js'
import { contextOf } from '../http/requestContext.js'
import { sessionOf } from '../sessions/createRequireUser.js'
import { parseIdempotencyKey } from './parseIdempotencyKey.js'

/**
 * Makes the last step of a route from a function that computes its answer. `keep: false`: the answer is secret and is not
 * stored; a repeated key computes it again, so `produce` must then give the same answer for the same request.
 */
export type AnswerOnce = (route: string, produce: Produce, options?: { keep: boolean }) => RequestHandler
type Produce = (res: Response) => Promise<unknown>

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), per user and route, kept for a day. The first success
 * stays the answer; a failure releases the key, since a failed signature may be requested again.
 */
export function createAnswerOnce({ database }: Pick<ApiDeps, 'database'>): AnswerOnce {
  return (route, produce, { keep } = { keep: true }) =>
    async (req, res) => {
      const key = parseIdempotencyKey(req.get('idempotency-key'))
      if (key === null) return void res.json(await produce(res))
      const claim = {
        userId: sessionOf(res).user.id,
        route,
        keyHash: sha256(key),
        fingerprint: sha256(canonicalJson((req.body ?? null) as Json)),
        owner: randomUUID(),
      }
      const held = await claimIdempotencyKey(database, claim)
      if (held.kind === 'mismatch') {
        throw new ServiceError('idempotency_mismatch', 'this Idempotency-Key was used for another request')
      }
      if (held.kind === 'in_flight') {
        res.setHeader('retry-after', '1')
        throw new ServiceError('idempotency_in_flight', 'a request with this Idempotency-Key is still being answered')
      }
      if (held.kind === 'answered') {
        const again = keep ? held.body : JSON.stringify(await produce(res))
        res.setHeader('idempotency-replayed', 'true')
        return void res.status(held.status).type('application/json').send(again)
      }
      let body: string
      try {
        body = JSON.stringify(await produce(res))
        await keepIdempotentAnswer(database, claim, { status: 200, body: keep ? body : '' })
      } catch (error) {
        await releaseIdempotencyKey(database, claim).catch((cause: unknown) => {
          contextOf(res).logger.warn(describe(cause), 'idempotency key was not released; it expires in seconds')
        })
        throw error
      }
      res.type('application/json').send(body)
    }
}
