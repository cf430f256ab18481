import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildProgram } from '../../../dev/stack/programs/buildProgram.js'
import { startApiBeside } from '../../../dev/stack/programs/startBeside.js'
import { Browser, webOrigin } from '../../../api/testing/Browser.js'
import { startIdentityProvider } from '../../../dev/identityProvider/startIdentityProvider.js'
import { freePort } from '../../../dev/stack/processes/freePort.js'
import type { TestService } from '../workers/startService.js'
import { identityFolder } from './identityFolder.js'
import { noLimitsText } from './noLimits.js'

/** Processes of the API, as production runs them, in front of one service. A session of one is a session of all. */
export async function startApis(service: TestService, count: number, shares: object, env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'perigee-apis-'))
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const publicUrl = `http://localhost:${ports[0]}`
  const idp = await startIdentityProvider({
    port: 0,
    folder: identityFolder,
    redirectUris: [`${publicUrl}/auth/dev/callback`],
  })
  const sharesFile = join(folder, 'shares.json')
  await writeFile(sharesFile, JSON.stringify(shares))
  const own = {
    PUBLIC_API_URL: publicUrl,
    WEB_ORIGINS: webOrigin,
    COOKIE_SAMESITE: 'Lax',
    SESSION_SECRETS: '1:a-secret-for-tests-of-32-characters!',
    OIDC_PROVIDERS: 'dev',
    OIDC_DEV_ISSUER: idp.issuer,
    OIDC_DEV_CLIENT_ID: idp.client.id,
    OIDC_DEV_CLIENT_SECRET: idp.client.secret,
    IPFS_GATEWAY_URL: 'http://gateway.example.test',
    CHAIN_IDS: String(service.config.chain.chainId),
    RATE_LIMITS: noLimitsText,
    SHARES_FILE: sharesFile,
    ...env,
  }
  await buildProgram(new URL('../../../api/main.ts', import.meta.url)) // each of those below would build it otherwise
  const apis = await Promise.all(
    ports.map((port) =>
      startApiBeside({ env: { ...process.env, ...service.env } }, { ...own, API_PORT: String(port) }),
    ),
  )
  const urls = ports.map((port) => `http://localhost:${port}`)

  return {
    urls,

    signIn: (email: string) => new Browser().signIn(publicUrl, email),

    /** As the web app would send it, to the process with this index. */
    post: (browser: Browser, index: number, path: string, body: unknown = {}) =>
      browser.post(`${urls[index % urls.length]}${path}`, body),

    async close(): Promise<void> {
      await Promise.all(apis.map((api) => api.close()))
      await idp.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type TestApis = Awaited<ReturnType<typeof startApis>>
