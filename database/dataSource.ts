import pg from 'pg'
import { DataSource } from 'typeorm'
import { checkSchema } from './checkSchema.js'
import { entities } from './entities/entities.js'
import { Initial1700000000001 } from './migrations/1700000000001-initial.js'
import { PostgresClient } from './PostgresClient.js'
import { PostgresNames } from './PostgresNames.js'

export interface DatabaseConfig {
  /** `postgres://…`; holds a password, so it never reaches a log. */
  url: string
  /** Connections this process may hold. */
  poolSize?: number
  /** A connection from which no byte came for this long during a query counts as lost. */
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
    namingStrategy: new PostgresNames(),
    migrations: [Initial1700000000001],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'all',
    synchronize: false,
    logging: false,
    uuidExtension: 'pgcrypto', // `gen_random_uuid()`, which Postgres has built in
    installExtensions: false,
    poolSize,
    // A database that hangs must become an error that is retried, not a request that waits forever.
    connectTimeoutMS: 5_000,
    extra: {
      Client: PostgresClient,
      silentMs,
      types: { getTypeParser },
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: 30_000,
    },
  })
}

/** The driver gives bigint as text; every one we keep is a safe integer. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === Number(pg.types.builtins.INT8) ? Number : (pg.types.getTypeParser(oid, format as 'text') as never)

/**
 * Connects and brings the schema up to date, or throws one line if this release does not fit it. Several programs may
 * start at once: the first one migrates.
 */
export async function openDatabase(config: DatabaseConfig): Promise<DataSource> {
  const database = await createDataSource(config).initialize()
  const lock = database.createQueryRunner()
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [migrationLock]) // SQL: an advisory lock
    await checkSchema(database)
    await database.runMigrations()
  } catch (error) {
    await lock.release()
    await database.destroy() // ends the session, and with it the lock
    throw error
  }
  await lock.query('SELECT pg_advisory_unlock($1)', [migrationLock])
  await lock.release()
  return database
}

/** An arbitrary number that only migrations use. */
const migrationLock = 7_130_001
