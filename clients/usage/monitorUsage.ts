import type { Logger } from 'pino'
import type { DataSource } from 'typeorm'
import { readUsage } from '../../database/index.js'
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
    const now = new Date()
    const midnight = new Date(now.toISOString().slice(0, 10))
    meter(await readUsage(database, midnight, new Date(midnight.getTime() + 86_400_000)))
  }
  let running: Promise<void> = Promise.resolve()
  const run = () => {
    running = running
      .then(update)
      .catch((error: unknown) => log.debug({ err: error }, 'the metrics of usage could not be updated'))
  }
  run()
  const timer = setInterval(run, everyMs)
  return {
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}
