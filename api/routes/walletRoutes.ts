import type { RequestHandler, Response } from 'express'
import { ServiceError } from '@perigee/core'
import { ownersHash } from '@perigee/core/authorisation'
import type { ApiDeps, OwnWallet } from '../ApiDeps.js'
import { checkOwnersApproval, credentialsOf } from '../authority/checkApprovals.js'
import { parseNewOwners, type OwnersBody } from '../authority/parseOwners.js'
import type { Route } from '../http/Route.js'
import { enclaveErrors, entropyErrors } from './enclaveErrors.js'
import type { RouteContext } from './RouteContext.js'
import { emptyBodySchema, provisionRequestSchema, walletInfoSchema } from '../schemas.js'
import { sessionOf } from '../sessions/createRequireUser.js'

/** Loads the user's own wallet for `walletOf`. A request cannot name another's. */
export function createRequireOwnWallet(deps: Pick<ApiDeps, 'findWallet'>): RequestHandler {
  return async (_req, res, next) => {
    const wallet = await findOwnWallet(deps, res)
    if (!wallet) throw new ServiceError('wallet_not_found', 'there is no wallet yet; POST /wallet/provision makes one')
    res.locals['wallet'] = wallet
    next()
  }
}

export function walletOf(res: Response): OwnWallet {
  return res.locals['wallet'] as OwnWallet
}

/** A row that was moved to this user from another would not open in the enclave, so its address is not shown either. */
async function findOwnWallet({ findWallet }: Pick<ApiDeps, 'findWallet'>, res: Response): Promise<OwnWallet | null> {
  const { user, subject } = sessionOf(res)
  const wallet = await findWallet(user.id)
  if (wallet && wallet.subject !== subject) {
    throw new ServiceError('sealed_key_invalid', 'this wallet’s key was made for somebody else')
  }
  return wallet
}

/** None and `{}` are the same request: a wallet without owners. */
const parseProvision: RequestHandler = (req, res, next) => {
  const { body } = req as { body?: unknown }
  const isEmpty = body === undefined || emptyBodySchema.safeParse(body).success
  res.locals['owned'] = isEmpty ? null : parseNewOwners(body)
  next()
}

export function createWalletRoutes(context: RouteContext): Route[] {
  const { deps, limits, takeShare, answerOnce } = context
  const requireOwnWallet = createRequireOwnWallet(deps)
  const sendWallet: RequestHandler = (_req, res) => void res.json(walletOf(res).info)

  /** Answers with the wallet if there is one; otherwise runs the workflow, which never makes a second. */
  const { answer: provision } = answerOnce('/wallet/provision', async (res) => {
    const body = res.locals['owned'] as OwnersBody | null
    const known = await findOwnWallet(deps, res)
    if (known) return infoOf(known, body)
    const { user, identity, subject } = sessionOf(res)
    const now = deps.now()
    const owned = body && { ...body, credentials: credentialsOf(body.owners, body.credentials, [], now.toISOString()) }
    if (owned) await checkOwnersApproval(null, owned, Math.floor(now.getTime() / 1000))
    await takeShare(res, { userId: user.id, ...identity }, { kind: 'birth' })
    const stated = await deps.statements.createKey(subject, owned)
    await deps.temporal.provisionWallet({ userId: user.id, owned, ...stated })
    const made = await findOwnWallet(deps, res)
    if (!made) throw new ServiceError('internal_error', 'the wallet was made but cannot be found')
    return infoOf(made, body)
  })

  return [
    {
      method: 'get',
      path: '/wallet/me',
      operationId: 'getWallet',
      summary: 'The signed-in person’s wallet',
      session: true,
      answers: { 200: { description: 'the wallet', schema: walletInfoSchema } },
      errors: ['wallet_not_found', 'sealed_key_invalid'],
      steps: [requireOwnWallet, sendWallet],
    },
    {
      method: 'post',
      path: '/wallet/provision',
      operationId: 'provisionWallet',
      summary: 'Makes the wallet unless it exists, and answers with it; with `owners`, only they can have it used',
      session: true,
      body: provisionRequestSchema,
      idempotencyKey: true,
      answers: { 200: { description: 'the wallet', schema: walletInfoSchema } },
      errors: ['owners_invalid', 'owners_changed', 'share_exceeded', ...entropyErrors, ...enclaveErrors],
      steps: [limits.perUser('provision'), parseProvision, provision],
    },
  ]
}

/** A caller who wants owners gets no wallet without exactly these. One who names none takes the wallet as it is. */
function infoOf({ info, owners }: OwnWallet, wanted: OwnersBody | null) {
  if (wanted === null || ownersHash(wanted.owners) === ownersHash(owners)) return info
  throw new ServiceError('owners_changed', 'the wallet exists already, with other owners or none: POST /wallet/owners changes them') // prettier-ignore
}
