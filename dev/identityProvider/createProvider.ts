import { Provider, interactionPolicy, type Configuration } from 'oidc-provider'
import { claimsOf } from './account.js'
import type { IdentityProviderState } from './loadState.js'

/** Asks who you are at every sign-in, so that after signing out you can sign in as someone else. */
function alwaysAsk() {
  const policy = interactionPolicy.base()
  const { Check } = interactionPolicy
  const always = new Check('always', 'every sign-in asks who you are', (ctx) =>
    ctx.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
  )
  policy.get('login')?.checks.add(always)
  return policy
}

/** A real OpenID provider with one client, the API, which needs no consent. */
export function createProvider(issuer: string, state: IdentityProviderState, redirectUris: string[]): Provider {
  const { id, secret } = state.client
  const flow = { response_types: ['code' as const], grant_types: ['authorization_code'] }
  const configuration: Configuration = {
    responseTypes: ['code'],
    clients: [{ client_id: id, client_secret: secret, redirect_uris: redirectUris, ...flow }],
    jwks: { keys: [state.signingKey] },
    cookies: { keys: state.cookieKeys },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false, // claims in the ID token itself, as Google does
    pkce: { required: () => true },
    interactions: { policy: alwaysAsk(), url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    features: { devInteractions: { enabled: false } },
    findAccount: (_ctx, subject) => {
      const claims = claimsOf(subject)
      return claims && { accountId: subject, claims: () => claims }
    },
    async loadExistingGrant(ctx) {
      const { session, client, account, params, provider } = ctx.oidc
      if (!session || !client || !account) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId })
      grant.addOIDCScope(String(params?.['scope'] ?? 'openid'))
      await grant.save()
      return grant
    },
    ttl: { Session: 3600, Interaction: 3600, Grant: 3600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
  }
  const provider = new Provider(issuer, configuration)
  provider.proxy = issuer.startsWith('https:') // it speaks http itself; an https proxy stands before it
  return provider
}
