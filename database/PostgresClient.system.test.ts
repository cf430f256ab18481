import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DataSource } from 'typeorm'
import { createLink, type Link } from '../soak/network/createLink.js'
import { freshDatabase } from '../tests/harness/index.js'
import { createDataSource } from './dataSource.js'
import { isDatabaseAway } from './isDatabaseAway.js'

const silentMs = 500
let fresh: Awaited<ReturnType<typeof freshDatabase>>
let link: Link
let database: DataSource

beforeEach(async () => {
  fresh = await freshDatabase()
  const address = new URL(fresh.url)
  link = await createLink(Number(address.port))
  address.port = String(link.port)
  database = await createDataSource({ url: address.href, silentMs }).initialize()
})

afterEach(async () => {
  await database.destroy()
  await link.close()
  await fresh.drop()
})

test.each<[string, () => Promise<unknown>]>([
  ['alone', () => database.query('SELECT 1')],
  ['in a transaction', () => database.transaction((manager) => manager.query('SELECT 1'))],
])('a Postgres that vanishes silently is away after a while, and the next query connects again: %s', async (_, ask) => {
  await ask()
  link.set('half-open')
  const error: unknown = await ask().catch((reason: unknown) => reason)
  expect(isDatabaseAway(error), String(error)).toBe(true)
  link.set(null)
  await expect(ask()).resolves.toHaveLength(1)
})

test('a statement that repeats is planned once per connection', async () => {
  const connection = database.createQueryRunner()
  for (const value of [1, 2, 3]) await connection.query('SELECT $1::int AS repeated', [value])
  const plans = `SELECT FROM pg_prepared_statements WHERE statement LIKE '%AS repeated'`
  await expect(connection.query(plans)).resolves.toHaveLength(1)
  await connection.release()
})

test('an idle connection may be silent, and is watched again during the next query', async () => {
  const connection = database.createQueryRunner()
  const backend = () => connection.query('SELECT pg_backend_pid() AS pid') as Promise<[{ pid: number }]>
  const [{ pid }] = await backend()
  await sleep(2 * silentMs)
  await expect(backend()).resolves.toEqual([{ pid }])
  await sleep(2 * silentMs)
  link.set('half-open')
  await expect(backend()).rejects.toThrow('silent')
  await connection.release()
})
