import { LRUCache } from 'lru-cache'
import * as oidc from 'openid-client'
import { ServiceError } from '@perigee/core'
import type { IdentityProviderConfig } from '@perigee/core/config'

const timeoutSeconds = 5
const rediscoverMs = 60 * 60_000

/** The configured providers. One that is down affects only its own sign-ins, and the next one asks it again. */
export function createIdentityProviders(configs: readonly IdentityProviderConfig[]) {
  const byName = new Map(configs.map((config) => [config.name, config]))
  const discovered = new LRUCache<string, oidc.Configuration>({
    max: 100,
    ttl: rediscoverMs,
    fetchMethod: (name) => discover(byName.get(name) as IdentityProviderConfig),
  })
  return {
    /** Throws `provider_unknown`. */
    require(name: string): void {
      if (!byName.has(name)) throw new ServiceError('provider_unknown', 'no such identity provider')
    },
    /** A known provider's configuration, discovered on first use. Throws `provider_unavailable`. */
    async get(name: string): Promise<oidc.Configuration> {
      try {
        return await discovered.forceFetch(name)
      } catch (error) {
        throw new ServiceError('provider_unavailable', 'the identity provider does not answer', {}, error)
      }
    },
  }
}

export type IdentityProviders = ReturnType<typeof createIdentityProviders>

function discover({ issuer, clientId, clientSecret }: IdentityProviderConfig): Promise<oidc.Configuration> {
  const url = new URL(issuer)
  // Also verify signatures of ID tokens, although they come straight from the issuer: defence in depth.
  const execute = [oidc.enableNonRepudiationChecks]
  // `parseConfig` lets plain http through for loopback addresses only.
  if (url.protocol === 'http:') execute.push(oidc.allowInsecureRequests)
  const auth = oidc.ClientSecretBasic(clientSecret)
  return oidc.discovery(url, clientId, undefined, auth, { execute, timeout: timeoutSeconds })
}
