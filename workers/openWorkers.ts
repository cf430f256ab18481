import { Client } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime, type LogEntry } from '@temporalio/worker'
import type { Logger } from 'pino'
import {
  connectionOptions,
  createDataConverter,
  ensureSearchAttributes,
  ensureSweepSchedule,
  openTracing,
  type HandOver,
  type Tracing,
} from '../temporal/index.js'
import { cachedBundle, cachedTracedBundle } from './cachedBundle.js'
import type { WorkerConfig } from './config.js'
import { createActivities, type ActivityDeps } from './createActivities.js'
import { createWorkers } from './createWorkers.js'
import { openDeps } from './openDeps.js'
import { runTogether } from './runTogether.js'
import { builtBundlePath, builtTracedBundlePath } from './workflowBundle.js'

export interface OpenWorkers {
  connection: NativeConnection
  tracing: Tracing | null
  /** Serves the queues until `stop`, or a signal that the runtime listens to, and then frees everything. */
  run(): Promise<void>
  /** No new tasks; what is under way may finish. */
  stop(): void
}

export interface OpenWorkersOptions {
  /** Signals on which the workers end by themselves. */
  shutdownSignals: NodeJS.Signals[]
  /** For callers in this process. */
  handOver?: HandOver
  /** Tests wrap what the activities call (tests/rigs/failpointWorker.ts). */
  prepare?: (deps: ActivityDeps) => void
}

/** Everything that a worker process holds, ready to run. */
export async function openWorkers(
  config: WorkerConfig,
  log: Logger,
  options: OpenWorkersOptions,
): Promise<OpenWorkers> {
  installRuntime(config, log, options.shutdownSignals)
  const tracing = config.tracing && (await openTracing(config.tracing, 'perigee-worker'))
  const connection = await NativeConnection.connect(connectionOptions(config.temporal))
  const { namespace, codecKeys } = config.temporal
  const client = new Client({
    ...{ connection, namespace },
    dataConverter: createDataConverter(codecKeys),
    ...(tracing && { interceptors: { workflow: tracing.clientInterceptors } }),
  })
  const missing = await ensureSearchAttributes(connection, namespace)
  if (missing.length > 0) throw new Error(`register these search attributes first (temporal/RUNBOOK.md): ${missing}`)

  const { deps, close } = await openDeps(config, log, client)
  options.prepare?.(deps)
  const activities = createActivities(deps, config.queues, options.handOver)
  const workers = await createWorkers({
    ...{ connection, temporal: config.temporal, activities, queues: config.queues, log, tracing },
    workflowBundle: await bundleFor(config),
  })
  if (config.queues.includes('publish')) await ensureSweepSchedule(client)

  const stop = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
  }
  return {
    ...{ connection, tracing },
    stop,
    async run() {
      log.info({ queues: config.queues, namespace }, 'worker is ready')
      try {
        await runTogether(workers)
      } finally {
        await close()
        await connection.close()
        await tracing?.close()
      }
    },
  }
}

/** Production runs what was built and replayed; development what is there. */
async function bundleFor({ production, tracing }: WorkerConfig): Promise<{ codePath: string }> {
  if (production) return { codePath: tracing ? builtTracedBundlePath : builtBundlePath }
  return tracing ? cachedTracedBundle() : cachedBundle()
}

/** Temporal's own lines join ours; payloads are never in them. Metrics are for Prometheus. */
function installRuntime(config: WorkerConfig, log: Logger, shutdownSignals: NodeJS.Signals[]): void {
  const forward = ({ level, message, meta }: LogEntry) => {
    const say = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const
    log[say[level]]({ temporal: meta }, message)
  }
  Runtime.install({
    ...{ logger: new DefaultLogger('INFO', forward), shutdownSignals },
    ...(config.metricsAddress && {
      telemetryOptions: { metrics: { prometheus: { bindAddress: config.metricsAddress } } },
    }),
  })
}
