import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DataSource } from 'typeorm'
import { freshDatabase, type FreshDatabase } from '../tests/harness/index.js'
import { createDataSource } from './dataSource.js'

let fresh: [migrated: FreshDatabase, built: FreshDatabase]
let migrated: DataSource
let built: DataSource

beforeAll(async () => {
  fresh = [await freshDatabase(), await freshDatabase()]
  migrated = await createDataSource({ url: fresh[0].url }).initialize()
  built = await createDataSource({ url: fresh[1].url }).initialize()
  await built.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await built.synchronize()
})
afterAll(async () => {
  await Promise.all([migrated.destroy(), built.destroy()])
  for (const database of fresh) await database.drop()
})

test('TypeORM finds nothing to change in the migrated database', async () => {
  const { upQueries } = await migrated.driver.createSchemaBuilder().log()
  expect(upQueries.map(({ query }) => query)).toEqual([])
})

/** TypeORM compares checks and partial indexes by name only, so this compares what Postgres says they are. */
test('the migration and the entities make the same columns, constraints and indexes', async () => {
  const describe = async (database: DataSource) =>
    (await database.query<{ line: string }[]>(describeSql)).map(({ line }) => line)
  const lines = await describe(migrated)
  expect(lines.length).toBeGreaterThan(200)
  expect(lines).toEqual(await describe(built))
})

const describeSql = `
  SELECT line FROM (
    SELECT table_name, format('%s.%s %s %s %s', table_name, column_name, udt_name, is_nullable, column_default) AS line
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL
    SELECT conrelid::regclass::text, format('%s: %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
    UNION ALL
    SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'
  ) lines WHERE table_name <> 'migrations' ORDER BY line`
