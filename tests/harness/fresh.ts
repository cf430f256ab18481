import { randomBytes } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { afterAll, beforeAll } from 'vitest'
import { createDataSource } from '../../database/index.js'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import { connectTemporal } from '../../dev/stack/stackTemporal.js'
import { prepareNamespace } from '../../temporal/index.js'
import { components } from './components.js'

export interface FreshDatabase {
  url: string
  /** Closes open connections and removes it. */
  drop(): Promise<void>
}

/** A new database with the current schema: a copy of the migrated one. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const pattern = new URL(components().databaseUrl)
  const name = `test_${randomBytes(8).toString('hex')}`
  const server = new URL('/postgres', pattern).href
  // Copying files takes half the time of copying through the write-ahead log.
  await queryOnce(server, `CREATE DATABASE ${name} TEMPLATE ${pattern.pathname.slice(1)} STRATEGY FILE_COPY`)
  return {
    url: new URL(`/${name}`, pattern).href,
    drop: async () => void (await queryOnce(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  }
}

/** The same, open. `close` removes it. */
export async function openFresh(options: { poolSize?: number } = {}) {
  const { url, drop } = await freshDatabase()
  const database = await createDataSource({ url, ...options }).initialize() // its schema is current already
  const close = async (): Promise<void> => {
    await database.destroy()
    await drop()
  }
  return { database, url, close }
}

/** Gives the tests of a file a database of their own, and removes it after them. */
export function useDatabase(use: (database: DataSource) => void): void {
  let fresh: Awaited<ReturnType<typeof openFresh>>
  beforeAll(async () => {
    fresh = await openFresh()
    use(fresh.database)
  })
  afterAll(() => fresh.close())
}

/** A new Temporal namespace with the search attributes. */
export async function freshNamespace(): Promise<string> {
  const namespace = `test-${randomBytes(8).toString('hex')}`
  const connection = await connectTemporal(components())
  try {
    await prepareNamespace(connection, namespace, 1)
    return namespace
  } finally {
    await connection.close()
  }
}

/** For a stack of its own: on the Temporal that the environment names, it needs a namespace that nobody else uses. */
export async function namespaceOfOwn(): Promise<NodeJS.ProcessEnv> {
  return process.env['TEMPORAL_ADDRESS'] ? { TEMPORAL_NAMESPACE: await freshNamespace() } : {}
}
