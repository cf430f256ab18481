import { ConfigError } from '@perigee/core/config'
import { parseConfig } from './config.js'
import { createLogger } from './createLogger.js'
import { runWorker } from './runWorker.js'

try {
  const config = parseConfig(process.env)
  const log = createLogger(config.logLevel)
  await runWorker(config, log)
  log.info('stopped')
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : 'failed']
  for (const line of lines) console.error(`worker: ${line}`)
  process.exit(1)
}
