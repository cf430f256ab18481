import type { Request, RequestHandler, Response } from 'express'
import { describeError, ServiceError } from '@perigee/core'
import {
  claimIdempotencyKey,
  findIdempotentAnswer,
  keepIdempotentAnswer,
  releaseIdempotencyKey,
  type KeptAnswer,
} from '../../database/index.js'
import type { ApiDeps } from '../ApiDeps.js'
import { contextOf } from '../http/requestContext.js'
import { claimOf } from './claimOf.js'

/**
 * Makes the last step of a route from a function that computes its answer. `keep: false`: the answer is secret and is not
 * stored; a repeated key computes it again, so `produce` must then give the same answer for the same request.
 */
export type AnswerOnce = (route: string, produce: Produce, options?: { keep: boolean }) => OnceAnswered
type Produce = (res: Response) => Promise<unknown>

export interface OnceAnswered {
  answer: RequestHandler
  /** Answers again if this request was answered before with its key, whatever has changed since; false if it was not. */
  answerAgain: (req: Request, res: Response) => Promise<boolean>
}

/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), per user and route, kept for a day. The first success
 * stays the answer; a failure releases the key, since a failed signature may be requested again.
 */
export function createAnswerOnce({ database }: Pick<ApiDeps, 'database'>): AnswerOnce {
  return (route, produce, { keep } = { keep: true }) => {
    async function replay(res: Response, { status, body }: KeptAnswer): Promise<void> {
      const again = keep ? body : JSON.stringify(await produce(res))
      res.setHeader('idempotency-replayed', 'true')
      res.status(status).type('application/json').send(again)
    }

    const answer: RequestHandler = async (req, res) => {
      const claim = claimOf(route, req, res)
      if (claim === null) return void res.json(await produce(res))
      const held = await claimIdempotencyKey(database, claim)
      if (held.kind === 'mismatch') {
        throw new ServiceError('idempotency_mismatch', 'this Idempotency-Key was used for another request')
      }
      if (held.kind === 'in_flight') {
        res.setHeader('retry-after', '1')
        throw new ServiceError('idempotency_in_flight', 'a request with this Idempotency-Key is still being answered')
      }
      if (held.kind === 'answered') return replay(res, held)
      let body: string
      try {
        body = JSON.stringify(await produce(res))
        await keepIdempotentAnswer(database, claim, { status: 200, body: keep ? body : '' })
      } catch (error) {
        await releaseIdempotencyKey(database, claim).catch((cause: unknown) => {
          contextOf(res).logger.warn(describeError(cause), 'idempotency key was not released; it expires in seconds')
        })
        throw error
      }
      res.type('application/json').send(body)
    }

    async function answerAgain(req: Request, res: Response): Promise<boolean> {
      const claim = claimOf(route, req, res)
      const kept = claim && (await findIdempotentAnswer(database, claim))
      if (kept) await replay(res, kept)
      return kept !== null
    }
    return { answer, answerAgain }
  }
}
