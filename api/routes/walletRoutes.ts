import type { RequestHandler, Response } from 'express'
import { ServiceError } from '@perigee/core'
import type { ApiDeps, OwnWallet } from '../ApiDeps.js'
import { parseEmptyBody } from '../http/parseWith.js'
import type { Route } from '../http/Route.js'
import type { RouteContext } from './RouteContext.js'
import { emptyBodySchema, walletInfoSchema } from '../schemas.js'
import { createRequireUser, sessionOf } from '../sessions/createRequireUser.js'

/** Loads the user's own wallet for `walletOf`. A request cannot name another's. */
export function createRequireOwnWallet(deps: Pick<ApiDeps, 'findWallet'>): RequestHandler {
  return async (_req, res, next) => {
    const wallet = await deps.findWallet(sessionOf(res).user.id)
    if (!wallet) throw new ServiceError('wallet_not_found', 'there is no wallet yet; POST /wallet/provision makes one')
    res.locals['wallet'] = wallet
    next()
  }
}

export function walletOf(res: Response): OwnWallet {
  return res.locals['wallet'] as OwnWallet
}

export function createWalletRoutes({ deps, sessions, limits, audit, answerOnce }: RouteContext): Route[] {
  const requireUser = createRequireUser(sessions)
  const requireOwnWallet = createRequireOwnWallet(deps)
  const sendWallet: RequestHandler = (_req, res) => void res.json(walletOf(res).info)

  /** Answers with the wallet if there is one; otherwise runs the workflow, which never makes a second. */
  const provision = answerOnce('/wallet/provision', async (res) => {
    const userId = sessionOf(res).user.id
    const known = await deps.findWallet(userId)
    if (known) return known.info
    await deps.temporal.provisionWallet(userId)
    const made = await deps.findWallet(userId)
    if (!made) throw new ServiceError('internal_error', 'the wallet was made but cannot be found')
    await audit('wallet_released', userId, { walletId: made.id, address: made.info.address })
    return made.info
  })

  return [
    {
      method: 'get',
      path: '/wallet/me',
      operationId: 'getWallet',
      summary: 'The signed-in person’s wallet',
      session: true,
      answers: { 200: { description: 'the wallet', schema: walletInfoSchema } },
      errors: ['wallet_not_found'],
      steps: [requireUser, requireOwnWallet, sendWallet],
    },
    {
      method: 'post',
      path: '/wallet/provision',
      operationId: 'provisionWallet',
      summary: 'Makes the wallet unless it exists, and answers with it',
      session: true,
      body: emptyBodySchema,
      idempotencyKey: true,
      answers: { 200: { description: 'the wallet', schema: walletInfoSchema } },
      errors: [
        'idempotency_mismatch',
        'idempotency_in_flight',
        'enclave_unreachable',
        'entropy_unavailable',
        'service_unavailable',
      ],
      steps: [requireUser, limits.perUser('provision'), parseEmptyBody, provision],
    },
  ]
}
