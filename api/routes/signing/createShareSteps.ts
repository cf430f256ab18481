import type { RequestHandler } from 'express'
import { ServiceError, type Facts, type TxMetadata } from '@perigee/core'
import { findSigner } from '../../../database/index.js'
import { sessionOf } from '../../sessions/createRequireUser.js'
import type { RouteContext } from '../RouteContext.js'
import { signRequestOf, type SignRequest } from './SignRequest.js'
import { walletOf } from '../walletRoutes.js'

/**
 * What must hold before the enclave is asked for a signature: the wallet can pay for it, and it is within the shares. Then
 * the audit log says that it was asked for, with these facts.
 */
export function createShareSteps<Content>(
  { deps, takeShare }: Pick<RouteContext, 'deps' | 'takeShare'>,
  factsOf: (request: SignRequest<Content>) => Facts,
): RequestHandler[] {
  /** What was signed before is given again, even when the wallet has spent its money since. */
  const requireFunds: RequestHandler = async (_req, res, next) => {
    const { kind, digest, chainId, content } = signRequestOf<TxMetadata>(res)
    if (!deps.funds || kind !== 'transaction') return next()
    const { id, info } = walletOf(res)
    const needed = BigInt(content.value) + BigInt(content.gas) * BigInt(content.maxFeePerGas)
    const balance = await deps.funds.shortOf(chainId, info.address, needed)
    if (balance !== null && !(await findSigner(deps.database, id, digest))?.signed) {
      throw new ServiceError(
        'insufficient_funds',
        'the wallet cannot pay for this transaction: its value and the most that its gas may cost',
        { chainId, balance: String(balance), needed: String(needed) },
      )
    }
    next()
  }

  const requireShare: RequestHandler = async (_req, res, next) => {
    const { user, identity } = sessionOf(res)
    const request = signRequestOf<Content>(res)
    const kind = request.kind === 'transaction' ? request.kind : ('message' as const)
    const facts = { walletId: walletOf(res).id, ...factsOf(request) }
    await takeShare(res, { userId: user.id, ...identity }, { kind, hash: request.digest, facts })
    next()
  }

  return [requireFunds, requireShare]
}
