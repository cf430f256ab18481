import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { createHandOver, temporalClientOn, type TemporalClient } from '../temporal/index.js'
import { startService, type TestService } from '../tests/rigs/startService.js'
import { handOverSigned } from './handOverSigned.js'

// As api/openDeps.ts wires it: the worker is another process's, and Postgres tells of what it commits.
let service: TestService
let temporal: TemporalClient
let listener: ReturnType<typeof handOverSigned>
let walletId: string

beforeAll(async () => {
  service = await startService()
  await service.startWorkers()
  walletId = (await service.temporal.provisionWallet(await service.newUser())).walletId
  const handOver = createHandOver()
  temporal = temporalClientOn(service.client.connection, service.config.temporal, { handOver })
  listener = handOverSigned(service.database, service.config.databaseUrl, handOver, () => undefined)
  const listens = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle' AND query LIKE 'LISTEN%'`
  while ((await service.database.query(listens)).length === 0) await sleep(50)
})
afterAll(async () => {
  await listener?.close()
  await service?.close()
})

const request = () => {
  const transaction = newTransaction()
  return { walletId, transaction, digest: transactionDigest(transaction) }
}

test('a caller is answered when the signature is committed, whatever the workflow still has to do', async () => {
  const { startPublishingHere } = service.deps
  let go = (): void => undefined
  const held = new Promise<void>((resolve) => (go = resolve))
  const slowly: typeof startPublishingHere = async (...args) => (await held, startPublishingHere(...args))
  Object.assign(service.deps, { startPublishingHere: slowly })
  const call = request()
  // The workflow task, and with it the answer of the Update, is held up until this answer is here.
  const { signature, slug } = await temporal.signDigest(call)
  expect(signature).toMatch(/^0x[0-9a-f]{130}$/)
  go()
  Object.assign(service.deps, { startPublishingHere })
  expect(await service.publicationOf(slug)).toBe('complete')
  expect(await temporal.signDigest(call)).toEqual({ signature, slug }) // no notice this time: the run answers
})

test('what is refused is told by the run, and a missed notice costs nothing but time', async () => {
  await expect(temporal.signDigest({ ...request(), walletId: crypto.randomUUID() })).rejects.toMatchObject({
    code: 'wallet_not_found',
  })
  await listener.close()
  const { slug } = await temporal.signDigest(request())
  expect(await service.publicationOf(slug)).toBe('complete')
})
