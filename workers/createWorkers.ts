import type { WorkerDeploymentVersion } from '@temporalio/common'
import { Worker, type NativeConnection, type WorkerOptions, type WorkflowBundleOption } from '@temporalio/worker'
import type { Logger } from 'pino'
import { createWorkerDataConverter, taskQueues, type TemporalConfig, type Tracing } from '../temporal/index.js'
import type { PerigeeActivities } from './createActivities.js'
import { refuseForeignArguments } from './interceptors/refuseForeignArguments.js'
import { translateErrors } from './interceptors/translateErrors.js'

export type QueueName = keyof typeof taskQueues

export interface WorkersInput {
  connection: NativeConnection
  temporal: Pick<TemporalConfig, 'namespace' | 'codecKeys'>
  activities: Partial<PerigeeActivities>
  workflowBundle: WorkflowBundleOption
  queues: readonly QueueName[]
  log: Logger
  /** The bundle must be the traced one. */
  tracing?: Tracing | null
  /** Runs workflows in the main thread, which costs less to start. For tests and debuggers. */
  inMainThread?: boolean
  /** The release that a worker runs, for Worker Deployment Versioning. Null or absent: unversioned. */
  deployment?: WorkerDeploymentVersion | null
}

/** One worker per task queue. Any number of processes may serve the same queues. */
export function createWorkers(input: WorkersInput): Promise<Worker[]> {
  const common: Omit<WorkerOptions, 'taskQueue'> = {
    connection: input.connection,
    namespace: input.temporal.namespace,
    dataConverter: createWorkerDataConverter(input.temporal.codecKeys),
    interceptors: {
      activity: [
        ...(input.tracing ? [input.tracing.activityInterceptor] : []),
        translateErrors(input.log),
        refuseForeignArguments,
      ],
    },
    ...(input.tracing && { sinks: input.tracing.sinks }),
    debugMode: input.inMainThread ?? false,
    // On SIGTERM, running steps may end: a signature takes milliseconds. Another worker takes over what takes longer.
    shutdownGraceTime: '5s',
    shutdownForceTime: '15s',
  }
  return Promise.all(
    input.queues.map((queue) =>
      Worker.create({
        ...common,
        ...versioning(queue, input.deployment),
        taskQueue: taskQueues[queue],
        ...settings(queue, input),
      } as WorkerOptions),
    ),
  )
}

/**
 * Runs of the queue `sign` end within seconds, on the build that started them. A failed proof waits for 30 days, so runs of
 * `publish` move to the current build instead of keeping an old one alive. Said here and not in the workflows, because
 * the server refuses a behaviour from a worker that is not versioned. `chain` and `webhooks` run no workflows, but the SDK
 * asks every versioned worker for a behaviour.
 */
function versioning(queue: QueueName, version: WorkersInput['deployment']): Partial<WorkerOptions> {
  if (!version) return {}
  const defaultVersioningBehavior = queue === 'publish' ? 'AUTO_UPGRADE' : 'PINNED'
  return { workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior } }
}

/** Each queue's settings are explicit: the SDK's defaults depend on the machine's memory. */
function settings(queue: QueueName, { activities, workflowBundle }: WorkersInput): Partial<WorkerOptions> {
  switch (queue) {
    case 'sign':
      return {
        workflowBundle,
        activities: { ...activities.sign },
        enableNonLocalActivities: false, // only local activities run here: no reason to poll for others
        // Every request is a new workflow, and the default leaves two pollers of ten for those.
        workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 20 },
        // A slot is held for as long as the signing takes. Few enough that each ends within its workflow task's five
        // seconds on a slow machine too: a task that runs longer is done twice, one that waits at the server is not.
        maxConcurrentWorkflowTaskExecutions: 32,
        maxConcurrentLocalActivityExecutions: 32,
        maxCachedWorkflows: 100, // a run is over within two workflow tasks; few are worth keeping
        stickyQueueScheduleToStartTimeout: '2s', // a killed worker's runs move on this fast
      }
    case 'publish':
      return {
        workflowBundle,
        activities: { ...activities.publish },
        workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 3, maximum: 20 },
        activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 2, maximum: 10 },
        maxConcurrentWorkflowTaskExecutions: 24,
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
    case 'webhooks':
      return {
        activities: { ...activities.webhooks },
        activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 2, maximum: 10 },
        maxConcurrentActivityTaskExecutions: 50, // each waits for an application, ten seconds at most
      }
  }
}
