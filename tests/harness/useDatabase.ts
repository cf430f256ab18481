import { afterAll, beforeAll } from 'vitest'
import type { DataSource } from 'typeorm'
import { openDatabase } from '../../database/index.js'
import { freshDatabase, type FreshDatabase } from './fresh.js'

/** Gives the tests of a file a database of their own, and removes it after them. */
export function useDatabase(use: (database: DataSource) => void): void {
  let fresh: FreshDatabase
  let database: DataSource
  beforeAll(async () => {
    fresh = await freshDatabase()
    database = await openDatabase({ url: fresh.url })
    use(database)
  })
  afterAll(async () => {
    await database.destroy()
    await fresh.drop()
  })
}
