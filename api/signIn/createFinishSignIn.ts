import type { Request, RequestHandler, Response } from 'express'
import { describeError, ServiceError, type Hex } from '@perigee/core'
import { subjectCommitment } from '@perigee/core/authorisation'
import { recordSignIn, useSignInTransaction } from '../../database/index.js'
import { createResealIfOld } from '../authority/createResealIfOld.js'
import { contextOf } from '../http/requestContext.js'
import type { RouteContext } from '../routes/RouteContext.js'
import type { Asker } from '../shares/createShares.js'
import { exchangeCode } from './exchangeCode.js'
import { withSignInError } from './parseReturnTo.js'
import { createTransactionCookies, transactionSeconds, type SignInTransaction } from './signInTransaction.js'
import { callbackUrl } from './createStartSignIn.js'

/** `GET /auth/:provider/callback`: ends in the app, signed in, or with `?sign_in_error=<code>`. */
export function createFinishSignIn(context: RouteContext): RequestHandler {
  const { deps, sessions, limits, takeShare, audit } = context
  const { settings, identityProviders, database, now } = deps
  const cookies = createTransactionCookies(settings)
  const resealIfOld = createResealIfOld(deps)

  async function signIn(req: Request, res: Response, provider: string, transaction: SignInTransaction | null) {
    if (!transaction || transaction.provider !== provider) {
      throw new ServiceError('sign_in_expired', 'this sign-in has expired or belongs to another browser')
    }
    const expiresAt = new Date(now().getTime() + 2 * transactionSeconds * 1000)
    if (!(await useSignInTransaction(database, transaction.state, expiresAt))) {
      throw new ServiceError('sign_in_expired', 'this sign-in was completed before')
    }
    const callback = new URL(callbackUrl(settings.publicUrl, provider))
    callback.search = new URL(req.originalUrl, settings.publicUrl).search
    const identity = await exchangeCode(await identityProviders.get(provider), callback, transaction)
    const user = await recordSignIn(database, identity, now())
    await limits.ofUser(res, 'signInUser', user.id)
    await audit('sign_in', user.id, { provider })
    const subject = subjectCommitment(identity.issuer, identity.subject, user.pepper)
    await sessions.start(req, res, user.id, subject)
    if (transaction.provision) startProvisioning(res, { userId: user.id, ...identity }, subject)
    resealOldWallet(res, user.id, subject)
  }

  /** Not awaited: a slow enclave must not slow a sign-in, and `POST /wallet/provision` makes up for a failure. */
  function startProvisioning(res: Response, asker: Asker, subject: Hex): void {
    const { logger } = contextOf(res)
    const { userId } = asker
    takeShare(res, asker, { kind: 'birth' })
      .then(() => deps.statements.createKey(subject, null))
      .then((stated) => deps.temporal.startProvisioning({ userId, owned: null, ...stated }))
      .catch((error: unknown) => {
        logger.warn({ userId, ...describeError(error) }, 'wallet provisioning was not started at sign-in')
      })
  }

  /** Not awaited either: nothing about a sign-in depends on it. */
  function resealOldWallet(res: Response, userId: string, subject: Hex): void {
    const { logger } = contextOf(res)
    deps
      .findWallet(userId)
      .then((wallet) => wallet?.subject === subject && resealIfOld(res, subject, wallet))
      .catch((error: unknown) =>
        logger.warn({ userId, ...describeError(error) }, 'the wallet was not looked up at sign-in'),
      )
  }

  return async (req, res) => {
    const provider = String(req.params['provider'])
    identityProviders.require(provider)
    res.setHeader('cache-control', 'no-store')
    const { state } = req.query
    const transaction = typeof state === 'string' ? await cookies.read(req, state) : null
    if (transaction) cookies.clear(res, transaction.state)
    const returnTo = transaction?.returnTo ?? `${settings.webOrigins[0]}/`
    try {
      await signIn(req, res, provider, transaction)
      res.redirect(302, returnTo)
    } catch (error) {
      const code = error instanceof ServiceError ? error.code : 'internal_error'
      contextOf(res).logger.warn({ code, provider, ...describeError(error) }, 'sign-in failed')
      // Only sign-ins that started here go into the audit log; anyone can call this URL with nonsense.
      if (transaction) await audit('sign_in_failed', null, { provider, code })
      res.redirect(302, withSignInError(returnTo, code))
    }
  }
}
