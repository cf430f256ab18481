import { LRUCache } from 'lru-cache'
import * as oidc from 'openid-client'
import { ServiceError } from '@perigee/core'
import type { IdentityProviderConfig } from '@perigee/core/config'

export interface IdentityProviders {
  has(name: string): boolean
  /** The provider's configuration, discovered on first use. Throws `provider_unavailable`. */
  get(name: string): Promise<oidc.Configuration>
}

const timeoutSeconds = 5
const rediscoverMs = 60 * 60_000

/** The configured providers. One that is down affects only its own sign-ins, and the next one asks it again. */
export function createIdentityProviders(configs: readonly IdentityProviderConfig[]): IdentityProviders {
  const byName = new Map(configs.map((config) => [config.name, config]))
  const discovered = new LRUCache<string, oidc.Configuration>({
    max: 100,
    ttl: rediscoverMs,
    fetchMethod: (name) => discover(byName.get(name) as IdentityProviderConfig),
  })
  return {
    has: (name) => byName.has(name),
    async get(name) {
      if (!byName.has(name)) throw new ServiceError('provider_unknown', 'no such identity provider')
      try {
        return await discovered.forceFetch(name)
      } catch (error) {
        throw new ServiceError('provider_unavailable', 'the identity provider does not answer', {}, error)
      }
    },
  }
}

function discover({ issuer, clientId, clientSecret }: IdentityProviderConfig): Promise<oidc.Configuration> {
  const url = new URL(issuer)
  // Also verify signatures of ID tokens, although they come straight from the issuer: defence in depth.
  const execute = [oidc.enableNonRepudiationChecks]
  // `parseConfig` lets plain http through for loopback addresses only.
  if (url.protocol === 'http:') execute.push(oidc.allowInsecureRequests)
  const auth = oidc.ClientSecretBasic(clientSecret)
  return oidc.discovery(url, clientId, undefined, auth, { execute, timeout: timeoutSeconds })
}
