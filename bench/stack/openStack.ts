import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../database/index.js'
import { findPrograms } from '../../dev/stack/binaries/index.js'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import { createStackFolder } from '../../dev/stack/createStackFolder.js'
import { createProgress } from '../../dev/stack/progress.js'
import { keepSecrets } from '../../dev/stack/settings/secrets.js'
import { startStack } from '../../dev/stack/startStack.js'
import { provideComponents } from '../../tests/harness/index.js'
import { noLimitsText, noShares } from '../../tests/rigs/api/noLimits.js'

/**
 * Everything that `npm start` starts, once for all benchmarks. Some run more programs beside it, on its servers, with
 * databases and namespaces of their own. With `cluster`: the same on a Temporal cluster instead of the dev server.
 */
export async function openStack({ cluster = false } = {}) {
  const { dir, remove } = await createStackFolder('bench')
  const sharesFile = join(dir, 'shares.json')
  await writeFile(sharesFile, JSON.stringify(noShares))
  const programs = await findPrograms(process.env, createProgress(process.stdout))
  const stack = await startStack({
    dir,
    ports: 'free',
    cluster,
    env: {
      ...process.env,
      // The service is measured, not its limits and shares.
      RATE_LIMITS: noLimitsText,
      SHARES_FILE: sharesFile,
      CHECK_FUNDS: 'false', // on the fast chain no wallet is funded
      ENTROPY_SUPPLY_TARGET: '512',
      LOG_LEVEL: 'warn',
      PUBLISH_UNSENT_AFTER: '0', // on the fast chain nothing is broadcast; on the other one everything is
    },
  })
  const { file, env } = stack
  const [{ contractOwnerKey }, pattern, database] = await Promise.all([
    keepSecrets(`${dir}/secrets.json`),
    createPattern(file.databaseUrl),
    openDatabase({ url: file.databaseUrl }),
  ])
  // The test harness uses its servers; a cluster is only measured beside them.
  if (!cluster) provideComponents({ ...file, databaseUrl: pattern, contractOwnerKey, programs })
  const closing: (() => Promise<unknown>)[] = [() => database.destroy()]

  return {
    file,
    env,
    database,

    /** For what several parts share: closed before the stack. */
    beforeClose: (step: () => Promise<unknown>) => void closing.push(step),

    async close(): Promise<void> {
      for (const step of closing.reverse()) await step()
      await stack.stop()
      await remove()
    },
  }
}

export type BenchStack = Awaited<ReturnType<typeof openStack>>

/** A migrated database without connections: Postgres copies no other. */
async function createPattern(databaseUrl: string): Promise<string> {
  await queryOnce(databaseUrl, 'CREATE DATABASE pattern')
  const url = new URL('/pattern', databaseUrl).href
  await (await openDatabase({ url })).destroy()
  return url
}
