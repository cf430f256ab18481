import { mkdtempSync, rmSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createPostgres, databaseUrl, queryOnce } from '../../dev/stack/components/postgres.js'
import { openLeash } from '../../dev/stack/processes/Leash.js'
import { startComponent } from '../../dev/stack/processes/startComponent.js'
import { supervise } from '../../dev/stack/processes/supervise.js'
import { freePorts } from '../../dev/stack/settings/ports.js'
import { createArchive } from './createArchive.js'

const dir = mkdtempSync(join(tmpdir(), 'perigee-archive-'))
chmodSync(dir, 0o755) // Postgres may run as another user
const leash = openLeash()
afterAll(async () => {
  await leash.close()
  rmSync(dir, { recursive: true, force: true })
})

test('a database comes back as it was at a moment, and after the loss of its disk as far as it was archived', async () => {
  const options = { dir, ports: await freePorts(), durable: true, databasePassword: 'of-a-test', env: process.env }
  const component = createPostgres(options)
  const logs = join(dir, 'logs')
  const supervision = { leash, logs, say: () => undefined, changed: () => undefined, stopping: () => false }
  const postgres = supervise(component, await startComponent(component, leash, logs), supervision)
  const url = databaseUrl(options, 'perigee')
  const ask = (sql: string) => queryOnce<{ word: string }>(url, sql)
  const words = async () => (await ask('SELECT word FROM words ORDER BY word')).map(({ word }) => word).join(' ')

  const archive = await createArchive({ dir, url, postgres })
  await archive.turnOn()
  await ask(`CREATE TABLE words AS SELECT 'backup' AS word`)
  await archive.takeBase()
  await ask(`INSERT INTO words VALUES ('before')`)
  const moment = await archive.now()
  await ask(`INSERT INTO words VALUES ('later')`)
  await ask('TRUNCATE words')
  await archive.complete()
  await postgres.stop()
  await archive.restore(moment)
  expect(await words()).toBe('backup before')

  await ask(`INSERT INTO words VALUES ('kept')`)
  await archive.complete()
  await ask(`INSERT INTO words VALUES ('lost')`)
  await postgres.stop('SIGKILL')
  await archive.restore(null)
  expect(await words()).toBe('backup before kept')
})
