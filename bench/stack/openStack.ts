import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../../database/index.js'
import { findPrograms } from '../../dev/stack/binaries/index.js'
import { removePostgresData } from '../../dev/stack/components/placePostgres.js'
import { silent } from '../../dev/stack/progress.js'
import { keepSecrets } from '../../dev/stack/settings/secrets.js'
import { startStack } from '../../dev/stack/startStack.js'
import { provideComponents, type Components } from '../../tests/harness/index.js'

// The service is measured, not its rate limits.
const limits = 'sign:100000/100000,address:100000/100000,attestation:100000/100000'

/**
 * Everything that `npm start` starts, once for all benchmarks. Some run more programs beside it, on its servers, with
 * databases and namespaces of their own.
 */
export async function openStack() {
  const dir = await mkdtemp(join(tmpdir(), 'perigee-bench-'))
  const own = join(dir, '.perigee')
  const env = {
    ...process.env,
    RATE_LIMITS: limits,
    ENTROPY_SUPPLY_TARGET: '512',
    LOG_LEVEL: 'warn',
    PUBLISH_UNSENT_AFTER: '0', // on the fast chain nothing is broadcast; on the other one everything is
  }
  const stack = await startStack({ dir: own, ports: 'free', env })
  const { file } = stack
  const [{ contractOwnerKey }, programs, pattern] = await Promise.all([
    keepSecrets(join(own, 'secrets.json')),
    findPrograms(process.env, silent),
    createPattern(file.databaseUrl),
  ])
  const components: Components = { ...file, databaseUrl: pattern, contractOwnerKey, programs }
  const closing: (() => Promise<unknown>)[] = []

  return {
    file,
    webOrigin: new URL(file.webUrl).origin,
    /** The environment of its programs. */
    env: environmentOf(file.processes['api'] ?? 0),

    /** Makes its servers those that the test harness uses; another part may have provided its own since. */
    provide: () => provideComponents(components),

    /** For what several parts share: closed before the stack. */
    beforeClose: (step: () => Promise<unknown>) => void closing.push(step),

    async close(): Promise<void> {
      for (const step of closing.reverse()) await step()
      await stack.stop()
      await removePostgresData(join(own, 'postgres'))
      await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

export type BenchStack = Awaited<ReturnType<typeof openStack>>

/** A migrated database without connections: Postgres copies no other. */
async function createPattern(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('CREATE DATABASE pattern')
  await client.end()
  const url = new URL(databaseUrl)
  url.pathname = '/pattern'
  await (await openDatabase({ url: url.href })).destroy()
  return url.href
}

function environmentOf(pid: number): Record<string, string> {
  const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
  return Object.fromEntries(lines.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
}
