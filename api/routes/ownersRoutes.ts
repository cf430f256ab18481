import type { RequestHandler } from 'express'
import { ServiceError } from '@perigee/core'
import { ownersHash, type WalletOwners } from '@perigee/core/authorisation'
import type { OwnWallet } from '../ApiDeps.js'
import { checkOwnersApproval, credentialsOf } from '../authority/checkApprovals.js'
import { parseNewOwners, type OwnersBody } from '../authority/parseOwners.js'
import type { Route } from '../http/Route.js'
import { enclaveErrors } from './enclaveErrors.js'
import type { RouteContext } from './RouteContext.js'
import { changeOwnersRequestSchema, walletOwnersSchema } from '../schemas.js'
import { sessionOf } from '../sessions/createRequireUser.js'
import { createRequireOwnWallet, walletOf } from './walletRoutes.js'

const parseChange: RequestHandler = (req, res, next) => {
  res.locals['newOwners'] = parseNewOwners(req.body)
  next()
}

export function createOwnersRoutes({ deps, limits, audit, answerOnce }: RouteContext): Route[] {
  const requireOwnWallet = createRequireOwnWallet(deps)

  /** The same request again, after a lost answer, gets the same answer. */
  const { answer: change } = answerOnce('/wallet/owners', async (res) => {
    const body = res.locals['newOwners'] as OwnersBody
    const wallet = walletOf(res)
    const wanted = ownersHash(body.owners)
    if (wanted === ownersHash(wallet.owners)) return ownersOf(wallet)
    const { user, subject } = sessionOf(res)
    const now = deps.now()
    const credentials = credentialsOf(body.owners, body.credentials, wallet.credentials, now.toISOString())
    await checkOwnersApproval(wallet, body, Math.floor(now.getTime() / 1000))
    const { owners, approval } = body
    const facts = { walletId: wallet.id, sequence: owners.sequence, ownersHash: wanted }
    await audit('owners_change_requested', user.id, facts) // committed before the enclave is called
    const stated = await deps.statements.changeOwners(subject, wallet.info.address, { owners, approval })
    const changed = await deps.temporal.changeOwners({ walletId: wallet.id, owners, approval, credentials, ...stated })
    if (changed.ownersHash !== wanted) {
      throw new ServiceError('owners_changed', 'the wallet’s owners were changed meanwhile; look at them again')
    }
    const since = wallet.since ?? 'upgrade'
    return ownersOf({ ...wallet, owners, since, credentials })
  })

  return [
    {
      method: 'get',
      path: '/wallet/owners',
      operationId: 'getOwners',
      summary: 'Whose passkeys must approve what the wallet signs, and how to ask for them',
      session: true,
      answers: { 200: { description: 'the owners', schema: walletOwnersSchema } },
      errors: ['wallet_not_found', 'sealed_key_invalid'],
      steps: [requireOwnWallet, (_req, res) => void res.json(ownersOf(walletOf(res)))],
    },
    {
      method: 'post',
      path: '/wallet/owners',
      operationId: 'changeOwners',
      summary: 'Gives the wallet its first owners, or others: adds or removes a passkey, or recovers with the code',
      session: true,
      body: changeOwnersRequestSchema,
      idempotencyKey: true,
      answers: { 200: { description: 'the owners from now on', schema: walletOwnersSchema } },
      errors: ['wallet_not_found', 'owners_invalid', 'owners_changed', 'statement_expired', ...enclaveErrors],
      steps: [parseChange, limits.perUser('provision'), requireOwnWallet, change],
    },
  ]
}

function ownersOf({ info, owners, since, credentials }: OwnWallet): WalletOwners {
  return { address: info.address, owners, ownersHash: ownersHash(owners), since, credentials }
}
