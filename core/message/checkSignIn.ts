import type { Hex } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import type { SignIn } from './parseSignIn.js'

/** Throws unless a sign-in message is for this wallet. */
export function checkSignInAccount(signIn: SignIn, address: Hex): void {
  if (signIn.address.toLowerCase() !== address.toLowerCase()) {
    throw new ServiceError('sign_in_account', 'the sign-in message names another account than this wallet')
  }
}

/**
 * Throws unless a sign-in message is for the site that asks. `origins`: the page that the passkey saw, or the page that
 * sent the request. Other wallets only warn: a site that has another site's message signed is phishing.
 */
export function checkSignInSite(signIn: SignIn, origins: readonly string[]): void {
  if (origins.some((origin) => isSite(origin, signIn))) return
  const message = 'the sign-in message is for another site than the one that asks'
  throw new ServiceError('sign_in_domain', message, { domain: signIn.domain })
}

function isSite(origin: string, { scheme, domain }: SignIn): boolean {
  const [protocol = '', host = ''] = origin.toLowerCase().split('://')
  return host === domain.toLowerCase() && (scheme === null || scheme.toLowerCase() === protocol)
}
