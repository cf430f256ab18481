import { expect, test } from 'vitest'
import { freshDatabase } from '../tests/harness/index.js'
import { isDatabaseAway } from './isDatabaseAway.js'
import { openDatabase } from './dataSource.js'

test('a transaction whose connection dies between two statements says that the database is away', async () => {
  const fresh = await freshDatabase()
  const database = await openDatabase({ url: fresh.url })
  try {
    const broken = database.transaction(async (manager) => {
      const [{ pid }] = (await manager.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }]
      await database.query('SELECT pg_terminate_backend($1)', [pid])
      await new Promise((resolve) => setTimeout(resolve, 300)) // the driver hears of it
      await manager.query('SELECT 1')
    })
    const error: unknown = await broken.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    expect(isDatabaseAway(error)).toBe(true)
    await expect(database.query('SELECT 1')).resolves.toHaveLength(1)
  } finally {
    await database.destroy()
    await fresh.drop()
  }
})
