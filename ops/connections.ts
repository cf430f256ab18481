import { Connection } from '@temporalio/client'
import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import { createDataSource } from '../database/index.js'
import { connectionOptions, temporalClientOn, type TemporalClient } from '../temporal/index.js'
import type { OpsConfig } from './config.js'

/** Opens the database for one piece of work. Runs no migrations. */
export async function withDatabase<T>(config: OpsConfig, work: (database: DataSource) => Promise<T>): Promise<T> {
  const source = createDataSource({ url: config.databaseUrl(), poolSize: 8 })
  const database = await source.initialize().catch((error: unknown) => {
    throw new ServiceError('service_unavailable', 'the database cannot be reached', {}, error)
  })
  try {
    return await work(database)
  } finally {
    await database.destroy()
  }
}

/** Opens Temporal for one piece of work. */
export async function withTemporal<T>(config: OpsConfig, work: (temporal: TemporalClient) => Promise<T>): Promise<T> {
  const temporal = config.temporal()
  const connection = Connection.lazy(connectionOptions(temporal))
  try {
    return await work(temporalClientOn(connection, temporal))
  } finally {
    await connection.close()
  }
}
