import type { DataSource } from 'typeorm'
import { expect, test } from 'vitest'
import { useDatabase } from '../../tests/harness/index.js'
import { someoneWaits } from '../../tests/rigs/someoneWaits.js'
import { takeFromLimit } from './takeFromLimit.js'

let database: DataSource
useDatabase((opened) => (database = opened))

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
  await someoneWaits(database)
  await other.commitTransaction()
  await other.release()
  expect(await refused).toMatchObject({ allowed: false })
  expect(minutes(await refused)).toBe(2)
})
