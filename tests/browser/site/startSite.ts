import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { privateKeyToAddress } from 'viem/accounts'
import { EnvReader } from '@perigee/core/config'
import { queryOnce } from '../../../dev/stack/components/postgres.js'
import { createStackFolder } from '../../../dev/stack/createStackFolder.js'
import { freePort } from '../../../dev/stack/processes/freePort.js'
import { buildProgram } from '../../../dev/stack/programs/buildProgram.js'
import { simulationDir } from '../../../dev/stack/settings/makeIdentities.js'
import type { Secrets } from '../../../dev/stack/settings/secrets.js'
import { startStack } from '../../../dev/stack/startStack.js'
import { createTemporalClient, parseTemporalConfig } from '../../../temporal/index.js'
import { fund, letPublish, namespaceOfOwn } from '../../harness/index.js'
import { createFaultyProxy, type FaultyProxy } from '../../rigs/servers/createFaultyProxy.js'
import { copyPki } from '../../rigs/sharedPki.js'
import { buildPages } from '../buildPages.js'
import { clientWith, signIn } from '../../../dev/signIn.js'

const run = promisify(execFile)

export type Site = Awaited<ReturnType<typeof startSite>>

export interface SiteOptions {
  env?: NodeJS.ProcessEnv
  /** Resolves to Kubo's program: the site starts without it. */
  kubo?: Promise<string>
}

/** Everything that `npm start` starts, with the pages as production serves them, and ways to break and repair it. */
export async function startSite({ env = {}, kubo }: SiteOptions = {}) {
  const { folder, dir, remove } = await createStackFolder('site')
  const webRoot = join(folder, 'web')
  await copyPki(simulationDir(dir))
  const built = buildPages(webRoot)
  built.catch(() => undefined) // awaited below
  const applicationPorts = { dapp: await freePort(), next: await freePort() }
  const applications = Object.values(applicationPorts).map((port) => `http://localhost:${port}`)
  let ipfs!: FaultyProxy
  let gateway!: FaultyProxy
  let temporal!: ReturnType<typeof createTemporalClient> // all three are there once the stack is
  const stack = await startStack({
    dir,
    ports: 'free',
    web: 'built',
    env: { ...process.env, ...(await namespaceOfOwn()), ...env },
    ...(kubo ? { kubo } : {}),
    async alter(own) {
      ipfs = await createFaultyProxy(own.IPFS_API_URLS ?? '')
      gateway = await createFaultyProxy(own.IPFS_GATEWAY_URL ?? '')
      temporal = createTemporalClient(parseTemporalConfig(new EnvReader(own)))
      await built
      return {
        ...own,
        IPFS_API_URLS: ipfs.url,
        IPFS_GATEWAY_URL: gateway.url,
        VITE_IPFS_GATEWAY_URL: gateway.url,
        WEB_ROOT: webRoot,
        WEB_ORIGINS: [own.WEB_ORIGINS, ...applications].join(','),
      }
    },
  }).catch(async (error: unknown) => {
    await Promise.all([temporal?.close(), ipfs?.close(), gateway?.close()])
    await remove()
    throw error
  })
  const { file } = stack
  const secrets = JSON.parse(await readFile(join(dir, 'secrets.json'), 'utf8')) as Secrets

  return {
    stack: file,
    logs: stack.logs,
    url: file.webUrl,
    /** Where applications may run that are not ours: the service allows these origins of localhost. */
    applicationPorts,
    /** Resolves once Kubo runs. */
    kubo: stack.kubo,
    /** Between the worker and Kubo. */
    ipfs,
    /** Between the visitor and the IPFS gateway. */
    gateway,
    /** A client of the SDK in this process, signed in, with a funded wallet. */
    async client(email: string) {
      const client = clientWith(await signIn(file.apiUrl, email, `${file.webUrl}/`), file)
      const { address } = await client.api.provisionWallet()
      await fund(address, '10', file.rpcUrl)
      return client
    },
    /** Whether the contract lets our publisher publish. */
    allowPublisher: (allowed: boolean) =>
      letPublish({ ...file, ...secrets }, privateKeyToAddress(secrets.publisherKey), allowed),
    /** Until the wallet's birth is public: its receipts name it. */
    async whenBorn(address: string) {
      const born = `SELECT 1 FROM publications p JOIN wallets w ON w.id = p.wallet_id
                     WHERE p.kind = 'birth' AND p.status = 'complete' AND w.address = '${address.toLowerCase()}'`
      while ((await queryOnce(file.databaseUrl, born)).length === 0) await sleep(100)
    },
    /** What an operator does about a failed proof. */
    retry: (slug: string) => temporal.retryPublish(slug, { operator: 'ops-1', reason: 'repaired' }),
    /** Runs the verifier as a stranger would, beside this stack's `stack.json`. */
    async verify(...args: string[]) {
      const program = await buildProgram(new URL('../../../verifier/main.ts', import.meta.url))
      return run(process.execPath, [program, ...args], { cwd: folder }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        (error: { code: number; stdout: string }) => error,
      )
    },
    async close() {
      await temporal.close()
      await stack.stop()
      await Promise.all([ipfs.close(), gateway.close()])
      await remove()
    },
  }
}
