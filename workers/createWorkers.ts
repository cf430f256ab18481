import type { DataConverter } from '@temporalio/common'
import { Worker, type NativeConnection, type WorkerOptions, type WorkflowBundleOption } from '@temporalio/worker'
import type { Logger } from 'pino'
import { createDataConverter, taskQueues, type TemporalConfig, type Tracing } from '../temporal/index.js'
import { beginOnArrival } from './beginOnArrival.js'
import type { PerigeeActivities } from './createActivities.js'
import { tuneWorkflowThreads } from './nodeFlags.js'
import { translateErrors } from './translateErrors.js'

export type QueueName = keyof typeof taskQueues

export interface WorkersInput {
  connection: NativeConnection
  temporal: Pick<TemporalConfig, 'namespace' | 'codecKeys'>
  /** Those of the queues below. */
  activities: Partial<PerigeeActivities>
  workflowBundle: WorkflowBundleOption
  queues: readonly QueueName[]
  log: Logger
  /** Its `tracedModules` are in the bundle. */
  tracing?: Tracing | null
}

/** One worker per task queue. Any number of processes may serve the same queues. */
export function createWorkers(input: WorkersInput): Promise<Worker[]> {
  tuneWorkflowThreads()
  const common: Omit<WorkerOptions, 'taskQueue'> = {
    connection: input.connection,
    namespace: input.temporal.namespace,
    dataConverter: createDataConverter(input.temporal.codecKeys),
    interceptors: {
      activity: [...(input.tracing ? [input.tracing.activityInterceptor] : []), translateErrors(input.log)],
    },
    ...(input.tracing && { sinks: input.tracing.sinks }),
    // On SIGTERM, what is under way may end: a signature takes milliseconds. What follows a transaction is handed over.
    shutdownGraceTime: '5s',
    shutdownForceTime: '15s',
  }
  return Promise.all(
    input.queues.map((queue) =>
      Worker.create({ ...common, taskQueue: taskQueues[queue], ...settings(queue, input) } as WorkerOptions),
    ),
  )
}

/** Each queue's settings are said, not left to heuristics that depend on the machine's memory. */
function settings(queue: QueueName, { activities, workflowBundle, temporal }: WorkersInput): Partial<WorkerOptions> {
  switch (queue) {
    case 'sign':
      return {
        workflowBundle,
        ...(activities.arrived && { dataConverter: withArrivals(temporal.codecKeys, activities.arrived) }),
        activities: { ...activities.wallets, ...activities.signing },
        enableNonLocalActivities: false, // only local activities run here: no reason to poll for others
        // Every request is a new workflow, and the default leaves two pollers of ten for those.
        workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 20 },
        // A slot is held for as long as the signing takes. Few enough that each ends within its workflow task's five
        // seconds on a slow machine too: what waits at the server is not done twice, what runs for too long is.
        maxConcurrentWorkflowTaskExecutions: 32,
        maxConcurrentLocalActivityExecutions: 32,
        maxCachedWorkflows: 100, // a run is over within two workflow tasks; few are worth keeping
        stickyQueueScheduleToStartTimeout: '2s', // a killed worker's runs move on this fast
      }
    case 'publish':
      return {
        workflowBundle,
        activities: { ...activities.pins, ...activities.atOnce, ...activities.records, ...activities.sweep },
        workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 3, maximum: 20 },
        activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 2, maximum: 10 },
        maxConcurrentWorkflowTaskExecutions: 24, // as in signing: a slot is held while a publication is tried at once
        maxConcurrentLocalActivityExecutions: 24,
        maxConcurrentActivityTaskExecutions: 50, // each holds one receipt of a few kB and some HTTP requests
        maxCachedWorkflows: 300, // proofs that wait for the chain; about 1 MB each at the most
        stickyQueueScheduleToStartTimeout: '2s',
      }
    case 'chain':
      return {
        activities: { ...activities.chain },
        activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 2, maximum: 10 },
        maxConcurrentActivityTaskExecutions: 500, // each waits for a block most of the time
      }
  }
}

function withArrivals(codecKeys: TemporalConfig['codecKeys'], arrived: PerigeeActivities['arrived']): DataConverter {
  const converter = createDataConverter(codecKeys)
  return { ...converter, payloadCodecs: [beginOnArrival(arrived), ...(converter.payloadCodecs ?? [])] } // decoded from the last on
}
