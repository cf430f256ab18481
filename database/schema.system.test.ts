import { expect, test } from 'vitest'
import type { DataSource } from 'typeorm'
import { useDatabase } from '../tests/harness/index.js'

let migrated: DataSource
useDatabase((opened) => (migrated = opened))

test('TypeORM finds nothing to change in the migrated database', async () => {
  const { upQueries } = await migrated.driver.createSchemaBuilder().log()
  expect(upQueries.map(({ query }) => query)).toEqual([])
})

/** TypeORM compares checks and partial indexes by name only, so the file keeps what Postgres says they are. */
test('columns, constraints, indexes, triggers and functions are those in schema.txt', async () => {
  const lines = await migrated.query<{ line: string }[]>(describeSql)
  expect(lines.length).toBeGreaterThan(200)
  await expect(`${lines.map(({ line }) => line).join('\n')}\n`).toMatchFileSnapshot('./schema.txt')
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
    UNION ALL
    SELECT relname, 'UNLOGGED ' || relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relpersistence = 'u'
       AND relkind = 'r'
    UNION ALL
    SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL
    SELECT proname, format('%s(%s)', proname, pg_get_function_arguments(oid))
      FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  ) lines WHERE table_name <> 'migrations' ORDER BY line COLLATE "C"`
