import type { RequestHandler } from 'express'
import type { ApiDeps } from '../../ApiDeps.js'
import { checkSignApproval } from '../../authority/checkApprovals.js'
import type { OnceAnswered } from '../../idempotency/createAnswerOnce.js'
import { signRequestOf } from './SignRequest.js'
import { walletOf } from '../walletRoutes.js'

/**
 * Where the wallet has owners, one of them has approved this request. An approval ends within minutes; a client that lost
 * the answer to it still gets that answer, by its `Idempotency-Key`.
 */
export function createRequireApproval(
  { now }: Pick<ApiDeps, 'now'>,
  answerAgain: OnceAnswered['answerAgain'],
): RequestHandler {
  return async (req, res, next) => {
    const request = signRequestOf(res)
    try {
      await checkSignApproval(walletOf(res), request, request.approval, Math.floor(now().getTime() / 1000))
    } catch (error) {
      if (await answerAgain(req, res)) return
      throw error
    }
    next()
  }
}
