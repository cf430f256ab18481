import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection, type ConnectionLike, type WorkflowHandle } from '@temporalio/client'
import {
  messages,
  priorities,
  taskQueues,
  workflowIds,
  workflowTaskTimeout,
  workflowTypes,
  type ChangeOwnersInput,
  type ChangeOwnersResult,
  type OperatorRequest,
  type ProofProgress,
  type ProvisionWalletInput,
  type ProvisionWalletResult,
  type ResealWalletInput,
} from '@perigee/core/workflow'
import { connectionOptions, type TemporalConfig } from '../config.js'
import { createDataConverter } from '../dataConverter.js'
import { ServiceError } from '@perigee/core/errors'
import { startSigning } from './startSigning.js'
import type { TemporalClient } from './TemporalClient.js'
import { toServiceError } from './toServiceError.js'
import type { Tracing } from '../tracing/openTracing.js'

/** How long a caller waits for a signature, and the age at which a request is no longer signed. */
export const signTimeoutMs = 15_000
const provisionTimeoutMs = 30_000
const queryTimeoutMs = 1_500
/** A poll lasts a minute at most, so every live worker was seen within it. */
const pollerSeconds = 75
/** temporal.api.enums.v1.TaskQueueType */
const workflowTasks = 1
/** A worker that has the run cached answers in milliseconds; after this the caller uses the record. */
const proofTimeoutMs = 500

export interface ClientOptions {
  tracing?: Tracing | null | undefined
}

/** Connects lazily, so that the API can start, and say that Temporal is missing, before the server is up. */
export function createTemporalClient(config: TemporalConfig, options: ClientOptions = {}): TemporalClient {
  const connection = Connection.lazy(connectionOptions(config))
  return { ...temporalClientOn(connection, config, options), close: () => connection.close() }
}

/** The same over a connection that someone else owns and closes (a worker's, or a test's). */
export function temporalClientOn(
  connection: ConnectionLike,
  config: Pick<TemporalConfig, 'namespace' | 'codecKeys'>,
  { tracing }: ClientOptions = {},
): TemporalClient {
  const client = new Client({
    connection,
    namespace: config.namespace,
    dataConverter: createDataConverter(config.codecKeys),
    ...(tracing && { interceptors: { workflow: tracing.clientInterceptors } }),
  })

  /** The deadline ends each call to the server. The timer also ends the pause before Temporal's client retries a call. */
  const within = async <T>(deadlineMs: number, work: () => Promise<T>): Promise<T> => {
    const done = new AbortController()
    const late = sleep(deadlineMs - Date.now(), undefined, { signal: done.signal }).then(() => {
      throw new ServiceError('service_unavailable', 'no worker answered in time')
    })
    try {
      return await Promise.race([connection.withDeadline(deadlineMs, work), late])
    } catch (error) {
      throw toServiceError(error)
    } finally {
      done.abort()
    }
  }

  const startProvisioning = (input: ProvisionWalletInput) =>
    client.workflow.start(workflowTypes.provisionWallet, {
      workflowId: workflowIds.wallet(input.userId),
      taskQueue: taskQueues.sign,
      args: [input],
      // A run in progress is joined. A finished one may be followed by another, which finds the wallet in the database.
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowTaskTimeout,
      priority: priorities.sign(input.userId),
      staticSummary: 'wallet for one user',
    })

  const startChange = (input: ChangeOwnersInput) =>
    client.workflow.start(workflowTypes.changeOwners, {
      workflowId: workflowIds.owners(input.walletId, input.owners.sequence),
      taskQueue: taskQueues.sign,
      args: [input],
      // As above: a finished run may be followed by another, which reads the row first.
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowTaskTimeout,
      priority: priorities.sign(input.walletId),
      staticSummary: `owners ${input.owners.sequence} of one wallet`,
    })

  const operate = (name: string, slug: string, request: OperatorRequest) =>
    within(Date.now() + signTimeoutMs, () =>
      client.workflow.getHandle(workflowIds.receipt(slug)).executeUpdate<void, [OperatorRequest]>(name, {
        args: [request],
      }),
    )

  return {
    provisionWallet: (input) =>
      within(Date.now() + provisionTimeoutMs, async () => {
        const handle = await startProvisioning(input)
        return (await handle.result()) as ProvisionWalletResult
      }),

    startProvisioning: (input) =>
      within(Date.now() + queryTimeoutMs, async () => {
        await startProvisioning(input)
      }),

    signDigest: (input) =>
      startSigning(client, {
        type: workflowTypes.signDigest,
        workflowId: workflowIds.sign(input.walletId, input.digest),
        summary: `sign ${input.digest.slice(0, 18)}… on chain ${input.transaction.chainId}`,
        input,
      }),

    signMessage: (input) =>
      startSigning(client, {
        type: workflowTypes.signMessage,
        workflowId: workflowIds.message(input.walletId, input.requestHash),
        summary: `sign the message of request ${input.requestHash.slice(0, 18)}…`,
        input,
      }),

    changeOwners: (input) =>
      within(Date.now() + signTimeoutMs, async () => {
        const handle = await startChange(input)
        return (await handle.result()) as ChangeOwnersResult
      }),

    startResealing: (input: ResealWalletInput) =>
      within(Date.now() + queryTimeoutMs, async () => {
        await client.workflow.start(workflowTypes.resealWallet, {
          workflowId: workflowIds.reseal(input.walletId, input.version),
          taskQueue: taskQueues.sign,
          args: [input],
          // As above: a finished run may be followed by another, which reads the row first.
          workflowIdConflictPolicy: 'USE_EXISTING',
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          workflowTaskTimeout,
          priority: priorities.publish(input.walletId),
          staticSummary: `sealing version ${input.version} of one wallet`,
        })
      }),

    async queryProof(slug, deadlineMs = proofTimeoutMs) {
      const handle: WorkflowHandle = client.workflow.getHandle(workflowIds.receipt(slug))
      try {
        return await within(Date.now() + deadlineMs, () => handle.query<ProofProgress, []>(messages.proof))
      } catch {
        return null // the caller falls back to the record
      }
    },

    retryPublish: (slug, request) => operate(messages.retryPublish, slug, request),
    abandonPublish: (slug, request) => operate(messages.abandonPublish, slug, request),

    check: () =>
      within(Date.now() + queryTimeoutMs, async () => {
        await client.workflowService.getSystemInfo({})
      }),
    checkPollers: (queue) =>
      within(Date.now() + queryTimeoutMs, async () => {
        const { pollers } = await client.workflowService.describeTaskQueue({
          namespace: config.namespace,
          taskQueue: { name: taskQueues[queue] },
          taskQueueType: workflowTasks,
        })
        // The server remembers pollers for minutes after they are gone.
        const since = Date.now() / 1000 - pollerSeconds
        if (!pollers?.some(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) >= since)) {
          throw new ServiceError('service_unavailable', `no worker serves the queue ${queue}`)
        }
      }),
    close: () => Promise.resolve(),
  }
}
