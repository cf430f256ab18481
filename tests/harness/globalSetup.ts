import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../database/index.js'
import { findKubo, findTemporal } from '../../dev/stack/binaries/index.js'
import { createStackFolder } from '../../dev/stack/createStackFolder.js'
import { freePorts } from '../../dev/stack/settings/ports.js'
import { openLeash } from '../../dev/stack/processes/Leash.js'
import { startAll } from '../../dev/stack/processes/startComponent.js'
import { createProgress } from '../../dev/stack/progress.js'
import { otherTemporal } from '../../dev/stack/stackTemporal.js'
import { createServers, serverAddresses } from '../../dev/stack/servers.js'
import { deployForTests } from './chain.js'
import type { Components } from './components.js'

declare module 'vitest' {
  export interface ProvidedContext {
    components: Components
  }
}

/**
 * Starts Postgres, Temporal, anvil and Kubo once for all system tests; returns a function that stops them. With
 * TEMPORAL_ADDRESS in the environment that Temporal is used; the token must be an operator's, because tests make namespaces.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const progress = createProgress(process.stdout)
  const { dir, remove } = await createStackFolder('test')
  const leash = openLeash()
  const close = async () => {
    await leash.close()
    await remove()
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
      temporal: otherTemporal(env),
    }
    const where = options.temporal ? `; Temporal is at ${options.temporal.temporalAddress}` : ', and Temporal'
    await progress.step(`starting Postgres, anvil and Kubo for the tests${where}`, () =>
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
