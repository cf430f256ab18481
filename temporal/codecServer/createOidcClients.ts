import { LRUCache } from 'lru-cache'
import * as oidc from 'openid-client'
import { ServiceError } from '@perigee/core/errors'
import type { IdentityProviderConfig, OperatorIdentity } from '@perigee/core/config'

const timeoutSeconds = 5
const rediscoverMs = 60 * 60_000

/** Ties the identity provider's answer to the browser that asked. */
export interface Transaction {
  provider: string
  state: string
  nonce: string
  verifier: string
}

/** The code flow with PKCE, state and nonce, at each configured provider. */
export function createOidcClients(configs: readonly IdentityProviderConfig[]) {
  const discovered = new LRUCache<string, oidc.Configuration>({
    max: 20,
    ttl: rediscoverMs,
    fetchMethod: (name) => discover(name),
  })

  function discover(name: string): Promise<oidc.Configuration> {
    const config = configs.find((one) => one.name === name)
    if (!config) throw new ServiceError('provider_unknown', 'no such identity provider')
    const url = new URL(config.issuer)
    const execute = [oidc.enableNonRepudiationChecks] // checks the ID token's signature too
    if (url.protocol === 'http:') execute.push(oidc.allowInsecureRequests) // parseConfig allows http on loopback only
    const auth = oidc.ClientSecretBasic(config.clientSecret)
    return oidc.discovery(url, config.clientId, undefined, auth, { execute, timeout: timeoutSeconds })
  }

  async function clientOf(name: string): Promise<oidc.Configuration> {
    try {
      return await discovered.forceFetch(name)
    } catch (error) {
      if (error instanceof ServiceError) throw error
      throw new ServiceError('provider_unavailable', 'the identity provider does not answer', {}, error)
    }
  }

  return {
    names: configs.map(({ name }) => name),

    /** Where to send the browser, and what to remember until it comes back. */
    async startSignIn(provider: string, redirectUri: string, hint: unknown) {
      const client = await clientOf(provider)
      const transaction: Transaction = {
        provider,
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      }
      const url = oidc.buildAuthorizationUrl(client, {
        redirect_uri: redirectUri,
        scope: 'openid',
        state: transaction.state,
        nonce: transaction.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(transaction.verifier),
        code_challenge_method: 'S256',
        ...(typeof hint === 'string' && hint.length <= 254 && { login_hint: hint }),
      })
      return { url: url.href, transaction }
    },

    /** openid-client checks state, `iss`, PKCE, and the ID token's signature, issuer, audience, expiry and nonce. */
    async exchangeCode(callback: URL, transaction: Transaction): Promise<OperatorIdentity> {
      const client = await clientOf(transaction.provider)
      try {
        const tokens = await oidc.authorizationCodeGrant(client, callback, {
          expectedState: transaction.state,
          expectedNonce: transaction.nonce,
          pkceCodeVerifier: transaction.verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims) return { issuer: claims.iss, subject: claims.sub }
      } catch (error) {
        throw new ServiceError('sign_in_failed', 'the identity provider’s answer was not accepted', {}, error)
      }
      throw new ServiceError('sign_in_failed', 'the identity provider sent no ID token')
    },
  }
}
