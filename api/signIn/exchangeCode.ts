import * as oidc from 'openid-client'
import { ServiceError } from '@perigee/core'
import type { Identity } from '../../database/index.js'
import type { SignInTransaction } from './signInTransaction.js'

/**
 * Redeems the authorization code and returns who signed in. openid-client checks state, `iss`, PKCE, the ID token's
 * signature, issuer, audience, expiry and nonce. Tokens end here: none is stored or passed on (ASVS 10.1.1).
 */
export async function exchangeCode(
  config: oidc.Configuration,
  callback: URL,
  transaction: SignInTransaction,
): Promise<Identity> {
  const { claims, person } = await redeem(config, callback, transaction).catch((error: unknown) => {
    throw failure(error)
  })
  const { email, email_verified: verified, name } = person
  if (typeof email !== 'string' || email.length > 254 || verified === false) {
    throw new ServiceError('email_not_verified', 'the identity provider gives no verified e-mail address')
  }
  return { issuer: claims.iss, subject: claims.sub, email, name: typeof name === 'string' ? name.slice(0, 200) : null }
}

async function redeem(config: oidc.Configuration, callback: URL, transaction: SignInTransaction) {
  const tokens = await oidc.authorizationCodeGrant(config, callback, {
    expectedState: transaction.state,
    expectedNonce: transaction.nonce,
    pkceCodeVerifier: transaction.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new ServiceError('sign_in_failed', 'the identity provider sent no ID token')
  const person = claims.email === undefined ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub) : claims
  return { claims, person }
}

/** `access_denied` is the person's or the provider's decision; any other error is an answer that did not verify. */
function failure(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied') {
    return new ServiceError('sign_in_refused', 'the sign-in was refused or cancelled', {}, error)
  }
  const unreachable = error instanceof TypeError || (error as { code?: string } | null)?.code === 'OAUTH_TIMEOUT'
  const code = unreachable ? 'provider_unavailable' : 'sign_in_failed'
  return new ServiceError(code, 'the identity provider’s answer was not accepted', {}, error)
}
