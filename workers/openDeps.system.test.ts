import type { Client } from '@temporalio/client'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkChain, markAbandoned, markFailed } from '../database/index.js'
import { openFresh } from '../tests/harness/index.js'
import { seedProof } from '../tests/rigs/publishing/seedProof.js'
import { installQuietRuntime } from '../tests/rigs/workers/quietRuntime.js'
import type { WorkerConfig } from './config.js'
import { openDeps } from './openDeps.js'

installQuietRuntime()
let fresh: Awaited<ReturnType<typeof openFresh>>
beforeAll(async () => {
  fresh = await openFresh()
})
afterAll(() => fresh.close())

const contract = `0x${'ab'.repeat(20)}` as const
const line = (left: string) =>
  `CHAIN_ID is 2, but the database has ${left} on chain 1: finish them there first (docs/operations.md, "Another contract")`

test('a worker does not start on another chain while a proof is unfinished on the former one', async () => {
  const { slug, birthSlug } = await seedProof(fresh.database, { chainId: 1, contract }, { birth: 'unpublished' })
  const config = { databaseUrl: fresh.url, chain: { chainId: 2 } } as WorkerConfig
  const open = () => openDeps(config, pino({ enabled: false }), null as unknown as Client)
  await expect(open()).rejects.toThrow(line('2 unfinished proofs and 0 transactions in flight'))
  await checkChain(fresh.database, 1)
  for (const one of [slug, birthSlug]) {
    await markFailed(fresh.database, { slug: one, status: 'pin_failed', code: 'pin_unavailable', message: 'no node' })
  }
  await expect(open()).rejects.toThrow(line('2 unfinished proofs and 0 transactions in flight')) // an operator may retry them
  await fresh.database.query(
    `INSERT INTO publisher_slots (id, chain_id, sender, nonce, state, calldata, gas)
     VALUES (gen_random_uuid(), 1, '0xab', 0, 'open', '0x', '21000')`,
  )
  for (const one of [slug, birthSlug]) await markAbandoned(fresh.database, one)
  await expect(open()).rejects.toThrow(line('0 unfinished proofs and 1 transactions in flight'))
  await fresh.database.query(`UPDATE publisher_slots SET state = 'confirmed'`)
  await checkChain(fresh.database, 2)
})
