import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { queryOnce } from '../dev/stack/components/postgres.js'
import { buildProgram } from '../dev/stack/programs/buildProgram.js'
import { freshDatabase, type FreshDatabase } from '../tests/harness/index.js'
import { openDatabase } from './dataSource.js'

let fresh: FreshDatabase
beforeEach(async () => {
  fresh = await freshDatabase()
})
afterEach(() => fresh.drop())

const record = (timestamp: number) =>
  queryOnce(fresh.url, `INSERT INTO migrations (timestamp, name) VALUES (${timestamp}, 'Other${timestamp}')`)

test('programs start on the schema that they know', async () => {
  await (await openDatabase({ url: fresh.url })).destroy()
})

test.each([
  [1999999999999, 'the schema is newer than this release, which does not know Other1999999999999: start the newer release'], // prettier-ignore
  [1600000000000, 'the schema is too old for this release, which no longer knows Other1600000000000: start with a new database'], // prettier-ignore
])('a schema with a migration of %i is refused in one line', async (timestamp, line) => {
  await record(timestamp)
  await expect(openDatabase({ url: fresh.url })).rejects.toThrow(new Error(line))
})

test('tables of another program are left alone', async () => {
  await queryOnce(fresh.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE theirs (id int)')
  await expect(openDatabase({ url: fresh.url })).rejects.toThrow('the database holds tables, but not ours')
  expect(await queryOnce(fresh.url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toHaveLength(1)
})

test('the job before a release ends with the same line and exit code 1, and says so when all is well', async () => {
  const program = await buildProgram(pathToFileURL('database/migrate.ts'))
  const migrate = () => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: fresh.url }
    const { status, stdout, stderr } = spawnSync(process.execPath, [program], { env, encoding: 'utf8' })
    return { status, stdout, stderr }
  }
  expect(migrate()).toEqual({ status: 0, stdout: 'migrate: the schema is up to date\n', stderr: '' })
  await record(1999999999999)
  const refused = migrate()
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^migrate: the schema is newer than this release.*\n$/)
})
