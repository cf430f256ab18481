import { DataSource } from 'typeorm'
import { entities } from './entities/index.js'
import { migrations } from './migrations/index.js'
import { WatchedClient } from './WatchedClient.js'

export interface DatabaseConfig {
  /** `postgres://…`; holds a password, so it never reaches a log. */
  url: string
  /** Connections this process may hold. */
  poolSize?: number
  /** A connection that is asked, and has no byte from Postgres for so long, counts as lost. */
  silentMs?: number
}

/** Postgres gives up on a statement after this, and says so. */
const statementMs = 15_000

/** A data source that is not yet connected; call `initialize()`. The schema comes from migrations only. */
export function createDataSource({ url, poolSize = 10, silentMs = statementMs + 5_000 }: DatabaseConfig): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    entities,
    migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'all',
    synchronize: false,
    logging: false,
    poolSize,
    // A database that hangs must become an error that is retried, not a request that waits for ever.
    connectTimeoutMS: 5_000,
    extra: {
      Client: WatchedClient,
      silentMs,
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: 30_000,
    },
  })
}

/** Connects and brings the schema up to date. Several programs may start at once: the first one migrates. */
export async function openDatabase(config: DatabaseConfig): Promise<DataSource> {
  const database = await createDataSource(config).initialize()
  const lock = database.createQueryRunner()
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [migrationLock])
    await database.runMigrations()
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [migrationLock])
    await lock.release()
  }
  return database
}

/** An arbitrary number that only migrations use. */
const migrationLock = 7_130_001
