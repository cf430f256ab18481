import type { Logger } from 'pino'
import type { DataSource } from 'typeorm'
import { readUsage } from '../../database/index.js'
import { repeatEvery } from '../concurrency/repeatEvery.js'
import type { createUsageMeter } from './createUsageMeter.js'

interface MonitorInput {
  database: DataSource
  meter: ReturnType<typeof createUsageMeter>
  log: Logger
  everyMs?: number
}

/** Updates the metrics of today's costs every few minutes. */
export function monitorUsage({ database, meter, log, everyMs = 300_000 }: MonitorInput) {
  const update = async () => {
    const midnight = new Date(new Date().toISOString().slice(0, 10))
    meter(await readUsage(database, midnight, new Date(midnight.getTime() + 86_400_000)))
  }
  const repeated = repeatEvery(everyMs, update, (error) =>
    log.debug({ err: error }, 'the metrics of usage could not be updated'),
  )
  repeated.run()
  return repeated
}
