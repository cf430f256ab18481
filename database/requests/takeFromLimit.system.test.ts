import type { DataSource } from 'typeorm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../tests/harness/index.js'
import { createDataSource } from '../dataSource.js'
import { takeFromLimit } from './takeFromLimit.js'

let fresh: Awaited<ReturnType<typeof freshDatabase>>
let database: DataSource
beforeAll(async () => {
  fresh = await freshDatabase()
  database = await createDataSource({ url: fresh.url }).initialize()
})
afterAll(async () => {
  await database.destroy()
  await fresh.drop()
})

const limit = { intervalMs: 60_000, burst: 2 }
const minutes = ({ busyMs }: { busyMs: number }) => Math.round(busyMs / 60_000)

test('a bucket gives as many as it holds, and a refused request takes nothing from it', async () => {
  const taken = []
  for (let asked = 0; asked < 4; asked++) taken.push(await takeFromLimit(database, 'in turn', limit))
  expect(taken.map(({ allowed }) => allowed)).toEqual([true, true, false, false])
  expect(taken.map(minutes)).toEqual([1, 2, 2, 2])
})

test('who is refused after waiting for others hears of what they left, not of what was there before them', async () => {
  await takeFromLimit(database, 'waiting', limit)
  const other = database.createQueryRunner()
  await other.startTransaction()
  await other.query(`UPDATE rate_limits SET free_at = free_at + interval '1 minute' WHERE key = 'waiting'`)
  const refused = takeFromLimit(database, 'waiting', limit)
  const isWaiting = async () => {
    const rows = await database.query<unknown[]>(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rows.length
  }
  await expect.poll(isWaiting).toBe(1)
  await other.commitTransaction()
  await other.release()
  expect(await refused).toMatchObject({ allowed: false })
  expect(minutes(await refused)).toBe(2)
})
