import { Client } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime, type LogEntry } from '@temporalio/worker'
import { pino, type Logger } from 'pino'
import { ConfigError } from '@perigee/core/config'
import {
  connectionOptions,
  createDataConverter,
  ensureSearchAttributes,
  ensureSweepSchedule,
  openTracing,
  startPublishing,
} from '../temporal/index.js'
import { parseConfig, type WorkerConfig } from './config.js'
import { createActivities } from './createActivities.js'
import { createWorkers } from './createWorkers.js'
import { armFailpoints } from './failpoints.js'
import { openDeps } from './openDeps.js'
import { cachedBundle, cachedTracedBundle } from './cachedBundle.js'
import { runTogether } from './runTogether.js'
import { builtBundlePath, builtTracedBundlePath } from './workflowBundle.js'

async function main(config: WorkerConfig): Promise<void> {
  const log = pino({ level: config.logLevel, base: { program: 'worker' }, timestamp: pino.stdTimeFunctions.isoTime })
  installRuntime(config, log)
  const tracing = config.tracing && (await openTracing(config.tracing, 'perigee-worker'))
  const connection = await NativeConnection.connect(connectionOptions(config.temporal))
  const { namespace, codecKeys } = config.temporal
  const client = new Client({ connection, namespace, dataConverter: createDataConverter(codecKeys) })
  const missing = await ensureSearchAttributes(connection, namespace)
  if (missing.length > 0) throw new Error(`register these search attributes first (temporal/RUNBOOK.md): ${missing}`)

  const { deps, close } = await openDeps(config, log, (...args) => startPublishing(client, ...args))
  if (config.failpointFile) armFailpoints(deps, config.failpointFile)
  const workers = await createWorkers({
    ...{
      connection,
      temporal: config.temporal,
      activities: createActivities(deps, config.queues),
      queues: config.queues,
      log,
    },
    workflowBundle: await bundleFor(config),
    tracing,
  })
  if (config.queues.includes('publish')) await ensureSweepSchedule(client)
  log.info({ queues: config.queues, namespace }, 'worker is ready')
  try {
    // Each ends on SIGTERM or SIGINT: no new tasks, what is under way may finish.
    await runTogether(workers)
  } finally {
    await close()
    await connection.close()
    await tracing?.close()
  }
  log.info('stopped')
}

/** Production runs what was built and replayed; development what is there. */
async function bundleFor({ production, tracing }: WorkerConfig): Promise<{ codePath: string }> {
  if (production) return { codePath: tracing ? builtTracedBundlePath : builtBundlePath }
  return tracing ? cachedTracedBundle() : cachedBundle()
}

/** Temporal's own lines join ours; payloads are never in them. Metrics are for Prometheus. */
function installRuntime(config: WorkerConfig, log: Logger): void {
  const forward = ({ level, message, meta }: LogEntry) => {
    const say = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const
    log[say[level]]({ temporal: meta }, message)
  }
  Runtime.install({
    logger: new DefaultLogger('INFO', forward),
    shutdownSignals: ['SIGTERM', 'SIGINT'],
    ...(config.metricsAddress && {
      telemetryOptions: { metrics: { prometheus: { bindAddress: config.metricsAddress } } },
    }),
  })
}

try {
  await main(parseConfig(process.env))
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : 'failed']
  for (const line of lines) console.error(`worker: ${line}`)
  process.exit(1)
}
