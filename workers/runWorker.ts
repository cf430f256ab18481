import { DefaultLogger, NativeConnection, Runtime, type LogEntry } from '@temporalio/worker'
import type { Logger } from 'pino'
import { checkTemporal, connectionOptions, ensureSchedules, openTracing, temporalClientOn } from '../temporal/index.js'
import { currentBundle } from '../temporal/bundle/currentBundle.js'
import type { WorkerConfig } from './config.js'
import { createActivities, type ActivityDeps } from './createActivities.js'
import { createWorkers } from './createWorkers.js'
import { openDeps } from './openDeps.js'
import { histogramBucketOverrides } from './histogramBuckets.js'
import { runTogether } from './runTogether.js'

/**
 * Runs a worker process until SIGTERM or SIGINT: no new tasks, running ones may finish. `prepare` sees the activities'
 * dependencies before they are used (tests put faults there).
 */
export async function runWorker(
  config: WorkerConfig,
  log: Logger,
  prepare?: (deps: ActivityDeps) => void,
): Promise<void> {
  installRuntime(config, log)
  const tracing = config.tracing && (await openTracing(config.tracing, 'perigee-worker'))
  await checkTemporal(config.temporal)
  const connection = await NativeConnection.connect(connectionOptions(config.temporal))
  const { client } = temporalClientOn(connection, config.temporal, tracing)

  const { deps, close } = await openDeps(config, log, client)
  prepare?.(deps)
  const workers = await createWorkers({
    connection,
    temporal: config.temporal,
    activities: createActivities(deps),
    queues: config.queues,
    workflowBundle: await currentBundle({ production: config.production, traced: tracing !== null }),
    deployment: config.deployment,
    log,
    tracing,
  })
  if (config.queues.includes('publish')) await ensureSchedules(client)

  log.info({ queues: config.queues, namespace: config.temporal.namespace }, 'worker is ready')
  const alive = reportAlive()
  try {
    await runTogether(workers)
  } finally {
    clearInterval(alive)
    await close()
    await connection.close()
    await tracing?.close()
  }
}

/** For the liveness probe: the page of metrics answers even while Node's event loop is blocked, but its time then stands still. */
function reportAlive(): NodeJS.Timeout {
  const gauge = Runtime.instance().metricMeter.createGauge(
    'perigee_worker_alive_at',
    'int',
    's',
    'When the JavaScript of this worker last ran',
  )
  const report = () => gauge.set(Math.floor(Date.now() / 1000))
  report()
  return setInterval(report, 5_000)
}

/** Temporal's own lines join ours; payloads are never in them. Metrics are for Prometheus. */
function installRuntime(config: WorkerConfig, log: Logger): void {
  const forward = ({ level, message, meta }: LogEntry) => {
    const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const
    log[levels[level]]({ temporal: meta }, message)
  }
  Runtime.install({
    logger: new DefaultLogger('INFO', forward),
    shutdownSignals: ['SIGTERM', 'SIGINT'],
    ...(config.metricsAddress && {
      telemetryOptions: { metrics: { prometheus: { bindAddress: config.metricsAddress, histogramBucketOverrides } } },
    }),
  })
}
