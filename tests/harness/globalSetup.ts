import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../database/index.js'
import { findKubo, findTemporal } from '../../dev/stack/binaries/index.js'
import { removePostgresData } from '../../dev/stack/components/placePostgres.js'
import { freePorts } from '../../dev/stack/settings/ports.js'
import { openLeash } from '../../dev/stack/processes/Leash.js'
import { startAll } from '../../dev/stack/processes/startComponent.js'
import { createProgress } from '../../dev/stack/progress.js'
import { createServers, serverAddresses } from '../../dev/stack/servers.js'
import { deployForTests } from './chain.js'
import type { Components } from './components.js'

declare module 'vitest' {
  export interface ProvidedContext {
    components: Components
  }
}

/** Starts Postgres, Temporal, anvil and Kubo once for all system tests; returns a function that stops them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const progress = createProgress(process.stdout)
  const dir = await mkdtemp(join(tmpdir(), 'perigee-test-'))
  await chmod(dir, 0o755) // Postgres may have to run as another user
  const leash = openLeash()
  const close = async () => {
    await leash.close()
    await removePostgresData(join(dir, 'postgres'))
    await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  try {
    const env = process.env
    const programs = { temporal: await findTemporal(env, progress), kubo: await findKubo(env, progress) }
    const options = {
      dir,
      env,
      programs,
      durable: false,
      ports: await freePorts(),
      databasePassword: randomBytes(16).toString('hex'),
    }
    await progress.step('starting Postgres, Temporal, anvil and Kubo for the tests', () =>
      startAll(createServers(options), leash, join(dir, 'logs')),
    )
    const addresses = serverAddresses(options)
    const chain = await deployForTests(addresses.rpcUrl)
    await (await openDatabase({ url: addresses.databaseUrl })).destroy() // fresh databases are copies of this one
    project.provide('components', { ...addresses, ...chain, programs })
  } catch (error) {
    await close()
    throw error
  }
  return close
}
