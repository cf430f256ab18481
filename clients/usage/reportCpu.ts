import type { Logger } from 'pino'
import type { DataSource } from 'typeorm'
import { addCpu } from '../../database/index.js'
import { repeatEvery } from '../concurrency/repeatEvery.js'

/** Adds what this process uses of the processor to the day's total, once a minute and at the end. A killed process loses the last minute. */
export function reportCpu(database: DataSource, program: 'api' | 'worker', log: Logger) {
  let reported = { user: 0, system: 0 }

  async function report(): Promise<void> {
    const used = process.cpuUsage()
    const microseconds = used.user - reported.user + used.system - reported.system
    await addCpu(database, program, microseconds / 1000)
    reported = used
  }

  const repeated = repeatEvery(60_000, report, (error) =>
    log.debug({ err: error }, 'the processor time could not be recorded; the next report includes it'),
  )
  return {
    async stop(): Promise<void> {
      repeated.run()
      await repeated.stop()
    },
  }
}
