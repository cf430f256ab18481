import { MockActivityEnvironment } from '@temporalio/testing'
import type { DataSource } from 'typeorm'
import { beforeEach, expect, test } from 'vitest'
import { createRetentionActivities } from '../../activities/createRetentionActivities.js'
import { useDatabase } from '../../tests/harness/index.js'
import { someoneWaits } from '../../tests/rigs/someoneWaits.js'
import { installQuietRuntime } from '../../tests/rigs/workers/quietRuntime.js'
import { deleteExpired } from './deleteExpired.js'

installQuietRuntime()
let database: DataSource
useDatabase((opened) => (database = opened))

const delivery = `
  INSERT INTO webhook_deliveries (event_id, application, type, data, state, ended_at)
  SELECT 'event ' || n, 'shop', 'proof.complete', '{}', 'delivered', now() - interval '31 days' FROM generate_series(1, 3000) n`
const left = () => database.query<{ event_id: string }[]>('SELECT event_id FROM webhook_deliveries')
beforeEach(async () => {
  await database.query('DELETE FROM webhook_deliveries')
  await database.query(delivery)
})

test('an event that an operator replays while retention comes for it stays', async () => {
  const replay = database.createQueryRunner()
  await replay.startTransaction()
  await replay.query(`UPDATE webhook_deliveries SET state = 'pending', ended_at = NULL WHERE event_id = 'event 7'`)
  const deleting = deleteExpired(database)
  await someoneWaits(database)
  await replay.commitTransaction()
  await replay.release()
  await deleting
  await deleteExpired(database) // a batch that lost a row to someone else is not full, and ends its rule
  expect(await left()).toEqual([{ event_id: 'event 7' }])
})

test('two runs at once take each row once', async () => {
  const [one, other] = await Promise.all([deleteExpired(database), deleteExpired(database)])
  const again = await deleteExpired(database)
  expect(one.webhookDeliveries + other.webhookDeliveries + again.webhookDeliveries).toBe(3000)
  expect(await left()).toEqual([])
})

test('a run that is cancelled stops before its next batch', async () => {
  const environment = new MockActivityEnvironment()
  environment.cancel()
  const run: Promise<Record<string, number>> = environment.run(createRetentionActivities({ database }).deleteExpired)
  const taken = await run
  expect(Object.values(taken).every((rows) => rows === 0)).toBe(true)
  expect(await left()).toHaveLength(3000)
})
