import type { Logger } from 'pino'
import { describeError } from '@perigee/core'
import { reportCpu } from '../clients/usage/reportCpu.js'
import { closeClaims } from '../database/index.js'
import type { ApiDeps } from './ApiDeps.js'
import type { ApiConfig } from './config.js'
import { openDeps } from './openDeps.js'
import { serve } from './serve.js'

const closeEveryMs = 10 * 60_000

/** Serves the API, and closes claims of shares that are over. */
export async function startApi(config: ApiConfig, logger: Logger) {
  const { deps, close } = await openDeps(config, logger)
  const metrics = config.metrics && (await openMetrics(deps, config.metrics))
  const api = await serve(deps, config.port)
  logger.info({ port: config.port, publicUrl: config.settings.publicUrl }, 'api is listening')

  const closing = setInterval(() => {
    const { database, settings } = deps
    closeClaims(database, settings.unsentSeconds).catch((error: unknown) =>
      logger.warn(describeError(error), 'claims that are over were not closed'),
    )
  }, closeEveryMs)

  const cpu = reportCpu(deps.database, 'api', logger)

  return {
    /** Finishes what is in flight, and frees everything. */
    async close() {
      clearInterval(closing)
      await api.close(undefined, config.drainMs)
      await metrics?.close()
      await cpu.stop()
      await close()
    },
  }
}

/** Loaded only where it is wanted. */
async function openMetrics(deps: ApiDeps, address: { host: string; port: number }) {
  const [{ createMeter }, { serveMetrics }] = await Promise.all([
    import('./monitoring/createMeter.js'),
    import('./monitoring/serveMetrics.js'),
  ])
  const meter = createMeter(deps.database)
  deps.meter = meter
  return serveMetrics(meter.registry, address)
}
