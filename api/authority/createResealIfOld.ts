import type { Response } from 'express'
import { describeError, type Hex } from '@perigee/core'
import { sealingVersionOf } from '@perigee/core/enclave'
import type { ApiDeps, OwnWallet } from '../ApiDeps.js'
import { contextOf } from '../http/requestContext.js'

/**
 * Has an old wallet's key sealed under the current version while its owner is here: the key is bound to a commitment that
 * only the session holds, so nobody else can ask for it. Not awaited: the old seal opens meanwhile, and the next visit
 * makes up for a failure.
 */
export function createResealIfOld({
  settings,
  statements,
  temporal,
}: Pick<ApiDeps, 'settings' | 'statements' | 'temporal'>) {
  // prettier-ignore
  const version = settings.sealingVersion
  return function resealIfOld(res: Response, subject: Hex, { id: walletId, info, sealedKey }: OwnWallet): void {
    if (sealingVersionOf(sealedKey) >= version) return
    const { logger } = contextOf(res)
    statements
      .resealKey(subject, info.address, sealedKey)
      .then((stated) => temporal.startResealing({ walletId, version, ...stated }))
      .catch((error: unknown) => logger.warn({ walletId, ...describeError(error) }, 'the wallet was not resealed'))
  }
}
