import type { EnvReader } from './EnvReader.js'

export interface IdentityProviderConfig {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
}

/** Who an operator is: issuer and subject, never an e-mail address, which may change hands. */
export interface OperatorIdentity {
  issuer: string
  subject: string
}

/** Issuers that need no configuration beyond the client. */
const knownIssuers: Record<string, string> = { google: 'https://accounts.google.com' }
/** Names that are paths of our own below `/auth`. */
const reservedNames = ['me', 'logout', 'sessions']

/** Reads `OIDC_PROVIDERS` and each provider's `OIDC_<NAME>_ISSUER`, `_CLIENT_ID` and `_CLIENT_SECRET`. */
export function parseIdentityProviders(env: EnvReader, production: boolean): IdentityProviderConfig[] {
  return env.list('OIDC_PROVIDERS').map((name) => {
    if (!/^[a-z0-9_-]{1,32}$/.test(name) || reservedNames.includes(name)) {
      env.problem(`OIDC_PROVIDERS: ${JSON.stringify(name)} cannot be the name of a provider`)
    }
    const prefix = `OIDC_${name.toUpperCase().replaceAll('-', '_')}`
    const issuer = env.url(`${prefix}_ISSUER`, ['https:', 'http:'], knownIssuers[name])
    if (issuer.startsWith('http:') && (production || !isLoopback(issuer))) {
      env.problem(`${prefix}_ISSUER must use https (http only on localhost and outside production)`)
    }
    const clientId = env.text(`${prefix}_CLIENT_ID`)
    return { name, issuer, clientId, clientSecret: env.text(`${prefix}_CLIENT_SECRET`) }
  })
}

/** Reads `OPERATORS`: `provider:subject,…`. */
export function parseOperators(env: EnvReader, providers: readonly IdentityProviderConfig[]): OperatorIdentity[] {
  return env.list('OPERATORS', '').flatMap((entry) => {
    const [, name, subject] = /^([^:]+):(.{1,255})$/.exec(entry) ?? []
    const issuer = providers.find((provider) => provider.name === name)?.issuer
    if (issuer && subject) return [{ issuer, subject }]
    env.problem('OPERATORS must be provider:subject,… with providers from OIDC_PROVIDERS')
    return []
  })
}

/** Production speaks https only, or cookies would travel in the clear. */
export function parseOrigin(env: EnvReader, name: string, text: string, production: boolean): string {
  if (text === '') return ''
  const url = URL.canParse(text) ? new URL(text) : null
  const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && !production)
  if (!url || !secure || url.origin !== text.replace(/\/$/, '')) {
    env.problem(`${name} must be an origin, such as https://app.example.org${production ? ', with https' : ''}`)
    return ''
  }
  return url.origin
}

export function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]'
}
