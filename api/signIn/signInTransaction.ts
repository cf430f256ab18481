import * as oidc from 'openid-client'
import type { ApiSettings } from '../ApiDeps.js'
import { createSealedCookie, usesSecureCookies, type SealedCookie } from '../sessions/createSealedCookie.js'

export const transactionSeconds = 600

/** Binds the identity provider's answer to the browser that asked (ASVS 10.1.2, 10.2.1, 10.5.1). */
export interface SignInTransaction {
  provider: string
  state: string
  nonce: string
  verifier: string
  returnTo: string
  /** False when the app wants no wallet before its user has a passkey. */
  provision: boolean
}

export function createSignInTransaction(provider: string, returnTo: string, provision: boolean): SignInTransaction {
  return {
    provider,
    returnTo,
    provision,
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
  }
}

/** Always `Lax`: the provider returns by a cross-site top-level GET, and nothing else needs this cookie. */
export function createTransactionCookie(settings: ApiSettings): SealedCookie<SignInTransaction> {
  return createSealedCookie({
    name: 'perigee_sign_in',
    secrets: settings.sessionSecrets,
    sameSite: 'lax',
    secure: usesSecureCookies(settings),
    maxAgeSeconds: transactionSeconds,
  })
}
