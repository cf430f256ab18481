import { subjectOf } from '../../../dev/identityProvider/account.js'
import { startIdentityProvider } from '../../../dev/identityProvider/startIdentityProvider.js'
import { freePort } from '../../../dev/stack/processes/freePort.js'
import { openFresh } from '../../harness/index.js'
import type { ApiDeps, ApiSettings } from '../../../api/ApiDeps.js'
import { createLogger } from '../../../api/createLogger.js'
import { noMeter } from '../../../api/monitoring/ApiMeter.js'
import { serve } from '../../../api/serve.js'
import type { IdentityProviderConfig } from '@perigee/core/config'
import { createIdentityProviders } from '../../../api/signIn/createIdentityProviders.js'
import { Browser, webOrigin } from '../../../api/testing/Browser.js'
import { createSoftSigner } from '../../../api/testing/softSigner.js'
import { softStatements } from '../../../api/testing/softStatements.js'
import { identityFolder } from './identityFolder.js'
import { noLimits, noShares } from './noLimits.js'

export { webOrigin }
/** Signing in with this address makes an operator's session. */
export const operatorEmail = 'operator@example.test'

export interface TestApiOptions {
  settings?: Partial<ApiSettings>
  deps?: Partial<ApiDeps>
  /** More providers, given the URL of the API for their redirect URIs. */
  providers?: (apiUrl: string) => Promise<IdentityProviderConfig[]>
}

/** The API over real HTTP, on a real database, with a real identity provider; only workflows and enclave are soft. */
export async function startTestApi(options: TestApiOptions = {}) {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const idp = await startIdentityProvider({
    port: 0,
    folder: identityFolder,
    redirectUris: [`${url}/auth/dev/callback`],
  })
  const fresh = await openFresh({ poolSize: 5 })
  const { database } = fresh
  const signer = createSoftSigner()
  const logs: string[] = []
  const clock = { offsetMs: 0 }
  const { id: clientId, secret: clientSecret } = idp.client
  const deps: ApiDeps = {
    meter: noMeter,
    settings: {
      publicUrl: url,
      webOrigins: [webOrigin, 'https://app.example.org'],
      cookieSameSite: 'lax',
      sessionSecrets: [{ id: '1', secret: 'a-secret-for-tests-of-32-characters!' }],
      sessionIdleSeconds: 3600,
      sessionAbsoluteSeconds: 86_400,
      chainIds: [31337, 11_155_111],
      sealingVersion: 1,
      operators: [{ issuer: idp.issuer, subject: subjectOf(operatorEmail) }],
      temporalUi: { url: 'http://localhost:8233', namespace: 'perigee' },
      trustedProxies: 0,
      rateLimits: noLimits,
      shares: noShares,
      unsentSeconds: 900,
      entropyReserve: 0,
      ...options.settings,
    },
    database,
    temporal: signer.temporal,
    findWallet: signer.findWallet,
    findProof: signer.findProof,
    attestor: unavailable,
    statements: softStatements(),
    funds: null,
    identityProviders: createIdentityProviders([
      { name: 'dev', issuer: idp.issuer, clientId, clientSecret },
      ...((await options.providers?.(url)) ?? []),
    ]),
    receiptPage: '# Receipt, version 1\n',
    readiness: { database: async () => void (await database.query('SELECT 1')) },
    logger: createLogger('debug', { write: (line) => void logs.push(line) }),
    now: () => new Date(Date.now() + clock.offsetMs),
    ...options.deps,
  }
  const api = await serve(deps, port, '127.0.0.1')

  const signIn = (email: string, browser = new Browser()) => browser.signIn(url, email)
  const post = (browser: Browser, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    browser.post(`${url}${path}`, body, headers)

  async function close(): Promise<void> {
    await api.close(1_000).catch(() => undefined) // a test may have closed it already
    await idp.close()
    await fresh.close()
  }

  return { url, deps, api, signer, logs, clock, database, databaseUrl: fresh.url, signIn, post, close }
}
export type TestApi = Awaited<ReturnType<typeof startTestApi>>

/** Attestation has tests of its own. */
const unavailable: ApiDeps['attestor'] = {
  current: () => Promise.reject(new Error('no attestor in this test')),
  fresh: () => Promise.reject(new Error('no attestor in this test')),
}
