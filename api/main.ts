import { ConfigError } from '@perigee/core/config'
import { parseConfig, type ApiConfig } from './config.js'
import { createLogger } from './createLogger.js'
import { startApi } from './startApi.js'

async function main(config: ApiConfig): Promise<void> {
  const logger = createLogger(config.logLevel)
  const api = await startApi(config, logger)

  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'shutting down: finishing what is in flight')
    await api.close()
    logger.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void stop(signal))
  process.on('SIGINT', (signal) => void stop(signal))
}

try {
  await main(parseConfig(process.env))
} catch (error) {
  const lines =
    error instanceof ConfigError ? new Set(error.problems) : [error instanceof Error ? error.message : 'failed']
  for (const line of lines) console.error(`api: ${line}`)
  process.exit(1)
}
