import type { RequestHandler } from 'express'
import { ServiceError, type TxMetadata } from '@perigee/core'
import { findSigner } from '../../../database/index.js'
import { sessionOf } from '../../sessions/createRequireUser.js'
import type { RouteContext } from '../RouteContext.js'
import { signRequestOf } from './SignRequest.js'
import { walletOf } from '../walletRoutes.js'

/** What must hold before the enclave is asked for a signature: the wallet can pay for it, and it is within the shares. */
export function createShareSteps({ deps, takeShare }: Pick<RouteContext, 'deps' | 'takeShare'>): RequestHandler[] {
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
    const { kind, digest: hash } = signRequestOf(res)
    const asked = { kind: kind === 'transaction' ? kind : ('message' as const), hash }
    await takeShare(res, { userId: user.id, ...identity }, asked)
    next()
  }

  return [requireFunds, requireShare]
}
