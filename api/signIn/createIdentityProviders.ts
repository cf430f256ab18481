import * as oidc from 'openid-client'
import { ServiceError } from '@perigee/core'

export interface IdentityProviderConfig {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
}

export interface IdentityProviders {
  has(name: string): boolean
  names(): string[]
  /** The provider's configuration, discovered on first use. Throws `provider_unavailable`. */
  get(name: string): Promise<oidc.Configuration>
}

const timeoutSeconds = 5
const rediscoverMs = 60 * 60_000

/** Knows the configured providers. One that is down stops its own sign-ins only, and is asked again next time. */
export function createIdentityProviders(configs: readonly IdentityProviderConfig[]): IdentityProviders {
  const byName = new Map(configs.map((config) => [config.name, config]))
  const known = new Map<string, { at: number; found: Promise<oidc.Configuration> }>()
  return {
    has: (name) => byName.has(name),
    names: () => [...byName.keys()],
    async get(name) {
      const config = byName.get(name)
      if (!config) throw new ServiceError('provider_unknown', 'no such identity provider')
      const cached = known.get(name)
      if (cached && Date.now() - cached.at < rediscoverMs) return cached.found
      const found = discover(config)
      known.set(name, { at: Date.now(), found })
      return found.catch((error: unknown) => {
        known.delete(name)
        throw new ServiceError('provider_unavailable', 'the identity provider does not answer', {}, error)
      })
    },
  }
}

function discover({ issuer, clientId, clientSecret }: IdentityProviderConfig): Promise<oidc.Configuration> {
  const url = new URL(issuer)
  // Signatures of ID tokens are checked although they come straight from the issuer: one more thing that must be wrong.
  const execute = [oidc.enableNonRepudiationChecks]
  // `parseConfig` lets plain http through for loopback addresses only.
  if (url.protocol === 'http:') execute.push(oidc.allowInsecureRequests)
  const auth = oidc.ClientSecretBasic(clientSecret)
  return oidc.discovery(url, clientId, undefined, auth, { execute, timeout: timeoutSeconds })
}
