import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import * as oidc from 'openid-client'
import type { ApiSettings } from '../ApiDeps.js'
import { cookieName, cookiesOf, createSealedCookie, usesSecureCookies } from '../sessions/createSealedCookie.js'

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
  const verifier = oidc.randomPKCECodeVerifier()
  return { provider, returnTo, provision, state: oidc.randomState(), nonce: oidc.randomNonce(), verifier }
}

const baseName = 'perigee_sign_in_'

/**
 * The cookies of a browser's older transactions may take this much together; older ones are cleared. Any site can send a
 * browser to sign in again and again, and a Cookie header that outgrows the limit for headers (16 kB) locks it out.
 */
const maxOlderBytes = 4096

/**
 * One cookie per transaction, named by its state, so that tabs that sign in at the same time do not disturb each other.
 * Always `Lax`: the provider returns by a cross-site top-level GET, and nothing else needs these cookies.
 */
export function createTransactionCookies(settings: ApiSettings) {
  const secure = usesSecureCookies(settings)
  const cookieOf = (name: string) =>
    createSealedCookie<SignInTransaction>({
      name,
      secure,
      secrets: settings.sessionSecrets,
      sameSite: 'lax',
      maxAgeSeconds: transactionSeconds,
    })
  const transactionName = new RegExp(`^${cookieName(`(${baseName}[0-9a-f]{16})`, secure)}$`)
  const nameOf = (state: string) => baseName + createHash('sha256').update(state).digest('hex').slice(0, 16)

  function clearOldest(req: Request, res: Response): void {
    let bytes = 0
    for (const { name, value } of cookiesOf(req).reverse()) {
      const base = transactionName.exec(name)?.[1]
      if (base === undefined) continue
      bytes += name.length + value.length
      if (bytes > maxOlderBytes) cookieOf(base).clear(res)
    }
  }

  return {
    /** The transaction with this state, when this browser started it. The state is attacker-controlled. */
    async read(req: Request, state: string): Promise<SignInTransaction | null> {
      const transaction = await cookieOf(nameOf(state)).read(req)
      return transaction?.state === state ? transaction : null // the seal does not cover the cookie's name
    },
    async write(req: Request, res: Response, transaction: SignInTransaction): Promise<void> {
      clearOldest(req, res)
      await cookieOf(nameOf(transaction.state)).write(res, transaction)
    },
    clear: (res: Response, state: string) => cookieOf(nameOf(state)).clear(res),
  }
}
