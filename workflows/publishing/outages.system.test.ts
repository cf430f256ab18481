import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import { openDatabase } from '../../database/index.js'
import { createPostgres } from '../../dev/stack/components/postgres.js'
import { createTemporal } from '../../dev/stack/components/temporal.js'
import { createStackFolder } from '../../dev/stack/createStackFolder.js'
import { serverAddresses } from '../../dev/stack/servers.js'
import { freePorts } from '../../dev/stack/settings/ports.js'
import { openLeash } from '../../dev/stack/processes/Leash.js'
import { startComponent, type Started } from '../../dev/stack/processes/startComponent.js'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { components, provideComponents } from '../../tests/harness/index.js'
import { createFaultyProxy, type FaultyProxy } from '../../tests/rigs/servers/createFaultyProxy.js'
import { startService, type TestService } from '../../tests/rigs/workers/startService.js'

/*
 * A Temporal server and a Postgres of this file's own, on disk, so that they can be killed and come back with their
 * data. IPFS is away meanwhile, so that the proofs are in the middle of their way when it happens.
 */
const { dir, remove } = await createStackFolder('outages')
const logs = join(dir, 'logs')
const leash = openLeash()

let ipfs: FaultyProxy
let service: TestService
let walletId: string
let postgres: ReturnType<typeof createPostgres>
let temporal: ReturnType<typeof createTemporal>
let running: { postgres: Started; temporal: Started }

beforeAll(async () => {
  const ports = await freePorts()
  const { programs } = components()
  const options = { dir, ports, programs, durable: true, databasePassword: 'only-for-this-test', env: process.env }
  postgres = createPostgres(options)
  temporal = createTemporal(options)
  const [db, server] = await Promise.all([startComponent(postgres, leash, logs), startComponent(temporal, leash, logs)])
  running = { postgres: db, temporal: server }
  const { databaseUrl, temporalAddress } = serverAddresses(options)
  await (await openDatabase({ url: databaseUrl })).destroy()
  provideComponents({ ...components(), databaseUrl, temporalAddress, temporalAccess: {} })
  ipfs = await createFaultyProxy(components().ipfsApiUrl)
  service = await startService({ env: { IPFS_API_URLS: ipfs.url } })
  await service.startWorkers()
  walletId = (await service.provision(await service.newUser())).walletId
})
afterAll(async () => {
  provideComponents(null) // the next test file may run in this process
  await service.close()
  await ipfs.close()
  await leash.close()
  await remove()
})

function sign(withinMs = 15_000) {
  const transaction = newTransaction()
  const call = { walletId, transaction, digest: transactionDigest(transaction) }
  return service.sign({ ...call, expiresAtMs: Date.now() + withinMs })
}

/** Everything that was acknowledged reaches its end, by the record, which is what clients see. */
async function allComplete(slugs: readonly string[]): Promise<void> {
  const until = Date.now() + 90_000
  for (;;) {
    const rows = await service.database
      .query<{ status: string }[]>('SELECT status FROM publications WHERE slug = ANY($1)', [slugs])
      .catch(() => [])
    if (rows.length === slugs.length && rows.every(({ status }) => status === 'complete')) return
    if (Date.now() > until) throw new Error(`still ${rows.map(({ status }) => status).join(', ')}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

test('Temporal is killed in the middle of proofs and comes back with its data: each proof is completed', async () => {
  ipfs.set('down')
  const acknowledged = await Promise.all([sign(), sign(), sign()])
  process.kill(running.temporal.pid, 'SIGKILL')
  await running.temporal.exited
  await expect(sign(1_500)).rejects.toMatchObject({ code: 'service_unavailable' })
  running.temporal = await startComponent(temporal, leash, logs)
  ipfs.set('none')
  await allComplete(acknowledged.map(({ slug }) => slug))
  await allComplete([(await sign()).slug])
})

test('Postgres crashes in the middle of proofs and comes back: each proof is completed, and none is lost', async () => {
  ipfs.set('down')
  const acknowledged = await Promise.all([sign(), sign(), sign()])
  process.kill(running.postgres.pid, 'SIGQUIT') // "immediate": no shutdown, recovery at the next start
  await running.postgres.exited
  ipfs.set('none') // the pins go through, and what follows cannot be recorded
  await expect(sign(1_500)).rejects.toMatchObject({ code: 'service_unavailable' })
  running.postgres = await startComponent(postgres, leash, logs)
  await allComplete(acknowledged.map(({ slug }) => slug))
  await allComplete([(await sign()).slug])
})
