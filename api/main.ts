import { ConfigError } from '@perigee/core/config'
import { sweepIdempotencyKeys, sweepLimits, sweepSessions } from '../database/index.js'
import type { ApiDeps } from './ApiDeps.js'
import { parseConfig, type ApiConfig } from './config.js'
import { createLogger } from './createLogger.js'
import { describe } from './http/problem.js'
import { openDeps } from './openDeps.js'
import { serve } from './serve.js'

const sweepEveryMs = 10 * 60_000

async function main(config: ApiConfig): Promise<void> {
  const logger = createLogger(config.logLevel)
  const { deps, close } = await openDeps(config, logger)
  const metrics = config.metrics && (await openMetrics(deps, config.metrics))
  const api = await serve(deps, config.port)
  logger.info({ port: config.port, publicUrl: config.settings.publicUrl }, 'api is listening')

  const sweep = setInterval(() => {
    const { database } = deps
    Promise.all([sweepSessions(database, deps.now()), sweepLimits(database), sweepIdempotencyKeys(database)]).catch(
      (error: unknown) => logger.warn(describe(error), 'sweep failed'),
    )
  }, sweepEveryMs)

  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    clearInterval(sweep)
    logger.info({ signal }, 'shutting down: finishing what is in flight')
    await api.close(undefined, config.drainMs)
    await metrics?.close()
    await close()
    logger.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void stop(signal))
  process.on('SIGINT', (signal) => void stop(signal))
}

/** Loaded only where it is wanted. */
async function openMetrics(deps: ApiDeps, address: { host: string; port: number }) {
  const [{ createMeter }, { serveMetrics }] = await Promise.all([
    import('./metrics/createMeter.js'),
    import('./metrics/serveMetrics.js'),
  ])
  const meter = createMeter(deps.database)
  deps.meter = meter
  return serveMetrics(meter.registry, address)
}

try {
  await main(parseConfig(process.env))
} catch (error) {
  const lines =
    error instanceof ConfigError ? new Set(error.problems) : [error instanceof Error ? error.message : 'failed']
  for (const line of lines) console.error(`api: ${line}`)
  process.exit(1)
}
