import { ConfigError, type Env } from '@perigee/core/config'
import { parseConfig as parseApiConfig, type ApiConfig } from '../api/config.js'
import { createLogger } from '../api/createLogger.js'
import { startApi } from '../api/startApi.js'
import { createHandOver, temporalClientOn } from '../temporal/index.js'
import { parseConfig as parseWorkerConfig, type WorkerConfig } from '../workers/config.js'
import { openWorkers } from '../workers/openWorkers.js'

/*
 * The API and a worker of the queue `sign` in one process, on one connection: a signature starts here and, when this
 * worker has room, is made here, so that it does not travel through a queue and back. Everything else is as with two
 * processes, which may run beside it. What it costs: the process that faces the network then holds a worker's secrets.
 */
async function main(apiConfig: ApiConfig, workerConfig: WorkerConfig): Promise<void> {
  const logger = createLogger(apiConfig.logLevel)
  const handOver = createHandOver()
  const workers = await openWorkers(workerConfig, logger.child({ part: 'worker' }), { shutdownSignals: [], handOver })
  const running = workers.run()
  const { connection, tracing } = workers
  const temporal = temporalClientOn(connection, apiConfig.temporal, { tracing, handOver, signsHere: true })
  const api = await startApi(apiConfig, logger, { temporal, tracing, handOver })

  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'shutting down: finishing what is in flight')
    await api.close() // first, because what it finishes needs the worker
    workers.stop()
    await running
    logger.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void stop(signal))
  process.on('SIGINT', (signal) => void stop(signal))
  await running // a worker that fails takes the process with it
}

/** Both programs' variables, and every problem of both at once. */
function parseConfigs(env: Env): [ApiConfig, WorkerConfig] {
  const problems: string[] = []
  const parse = <T>(parseOne: (variables: Env) => T): T | null => {
    try {
      return parseOne(env)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      problems.push(...error.problems)
      return null
    }
  }
  const api = parse(parseApiConfig)
  const worker = parse((variables) => parseWorkerConfig({ ...variables, WORKER_QUEUES: 'sign' }))
  if (!api || !worker) throw new ConfigError(problems)
  return [api, worker]
}

try {
  await main(...parseConfigs(process.env))
} catch (error) {
  const lines =
    error instanceof ConfigError ? new Set(error.problems) : [error instanceof Error ? error.message : 'failed']
  for (const line of lines) console.error(`api: ${line}`)
  process.exit(1)
}
