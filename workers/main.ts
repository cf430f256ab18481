import { pino } from 'pino'
import { ConfigError } from '@perigee/core/config'
import { parseConfig, type WorkerConfig } from './config.js'
import { openWorkers } from './openWorkers.js'

async function main(config: WorkerConfig): Promise<void> {
  const log = pino({ level: config.logLevel, base: { program: 'worker' }, timestamp: pino.stdTimeFunctions.isoTime })
  // Each worker ends on these: no new tasks, what is under way may finish.
  const workers = await openWorkers(config, log, { shutdownSignals: ['SIGTERM', 'SIGINT'] })
  await workers.run()
  log.info('stopped')
}

try {
  await main(parseConfig(process.env))
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : 'failed']
  for (const line of lines) console.error(`worker: ${line}`)
  process.exit(1)
}
