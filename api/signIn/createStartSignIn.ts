import type { RequestHandler } from 'express'
import * as oidc from 'openid-client'
import { describeError } from '@perigee/core'
import type { ApiDeps } from '../ApiDeps.js'
import { parseWith } from '../http/parseWith.js'
import { contextOf } from '../http/requestContext.js'
import { authorisationSchema } from '../schemas.js'
import { parseReturnTo, withSignInError } from './parseReturnTo.js'
import { createSignInTransaction, createTransactionCookies } from './signInTransaction.js'

/** `GET /auth/:provider`: remembers the transaction in a cookie and sends the browser to the identity provider. */
export function createStartSignIn({ settings, identityProviders }: ApiDeps): RequestHandler {
  const cookies = createTransactionCookies(settings)
  return async (req, res) => {
    const provider = String(req.params['provider'])
    identityProviders.require(provider)
    const returnTo = parseReturnTo(req.query['return_to'], settings.webOrigins)
    const level = parseWith(authorisationSchema, req.query['authorisation'])
    res.setHeader('cache-control', 'no-store')
    let config: oidc.Configuration
    try {
      config = await identityProviders.get(provider)
    } catch (error) {
      contextOf(res).logger.error({ provider, ...describeError(error) }, 'identity provider does not answer')
      return res.redirect(302, withSignInError(returnTo, 'provider_unavailable'))
    }
    const transaction = createSignInTransaction(provider, returnTo, level !== 'required')
    await cookies.write(req, res, transaction)
    const hint = req.query['login_hint']
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: callbackUrl(settings.publicUrl, provider),
      scope: 'openid email profile',
      state: transaction.state,
      nonce: transaction.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(transaction.verifier),
      code_challenge_method: 'S256',
      ...(typeof hint === 'string' && hint.length <= 254 && { login_hint: hint }),
    })
    res.redirect(302, url.href)
  }
}

/** Each provider has its own redirect URI, so that one provider's answer cannot be passed off as another's. */
export function callbackUrl(publicUrl: string, provider: string): string {
  return `${publicUrl}/auth/${provider}/callback`
}
