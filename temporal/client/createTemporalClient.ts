import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection, type ConnectionLike, type WorkflowHandle } from '@temporalio/client'
import { ServiceError } from '@perigee/core/errors'
import {
  messages,
  priorities,
  taskQueues,
  workflowIds,
  workflowTypes,
  type ChangeOwnersInput,
  type ChangeOwnersResult,
  type OperatorRequest,
  type ProofProgress,
  type ProvisionWalletInput,
  type ProvisionWalletResult,
  type ResealWalletInput,
  type SignDigestInput,
  type SignMessageInput,
} from '@perigee/core/workflow'
import { connectionOptions, type TemporalConfig } from '../config.js'
import { createDataConverter } from '../dataConverter.js'
import type { Tracing } from '../tracing/openTracing.js'
import { joining } from './joining.js'
import { startSigning } from './startSigning.js'
import { toServiceError } from './toServiceError.js'

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

/** Connects lazily, so that the API can start, and say that Temporal is missing, before the server is up. */
export function createTemporalClient(config: TemporalConfig, tracing: Tracing | null = null) {
  const connection = Connection.lazy(connectionOptions(config))
  return { ...temporalClientOn(connection, config, tracing), close: () => connection.close() }
}

/** What the API asks of Temporal. Every method throws ServiceError only. */
export type TemporalClient = ReturnType<typeof temporalClientOn>

/** The same over a connection that someone else owns and closes (a worker's, or a test's). */
export function temporalClientOn(
  connection: ConnectionLike,
  config: Pick<TemporalConfig, 'namespace' | 'codecKeys'>,
  tracing: Tracing | null = null,
) {
  const client = new Client({
    connection,
    namespace: config.namespace,
    dataConverter: createDataConverter(config.codecKeys),
    ...(tracing && { interceptors: { workflow: tracing.clientInterceptors } }),
  })

  /** The deadline ends each call to the server. The timer also ends the pause before Temporal's client retries a call. */
  const within = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
    const deadlineMs = Date.now() + ms
    const done = new AbortController()
    const late = sleep(ms, undefined, { signal: done.signal }).then(() => {
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

  type Run = { workflowId: string; priority: object; staticSummary: string }
  const start = (type: keyof typeof workflowTypes, input: object, run: Run) =>
    client.workflow.start(workflowTypes[type], { ...joining, ...run, args: [input] })

  const startWallet = (input: ProvisionWalletInput) =>
    start('provisionWallet', input, {
      workflowId: workflowIds.wallet(input.userId),
      priority: priorities.sign(input.userId),
      staticSummary: 'wallet for one user',
    })

  const startChange = (input: ChangeOwnersInput) =>
    start('changeOwners', input, {
      workflowId: workflowIds.owners(input.walletId, input.owners.sequence),
      priority: priorities.sign(input.walletId),
      staticSummary: `owners ${input.owners.sequence} of one wallet`,
    })

  const startReseal = (input: ResealWalletInput) =>
    start('resealWallet', input, {
      workflowId: workflowIds.reseal(input.walletId, input.version),
      priority: priorities.publish(input.walletId),
      staticSummary: `sealing version ${input.version} of one wallet`,
    })

  /** For an operator: what a failed publication waits for. */
  const operate = (name: string) => (slug: string, request: OperatorRequest) =>
    within(signTimeoutMs, () => {
      const handle = client.workflow.getHandle(workflowIds.receipt(slug))
      return handle.executeUpdate<void, [OperatorRequest]>(name, { args: [request] })
    })

  return {
    /** Temporal's own, for what has no method here. */
    client,

    /** Makes the user's wallet unless it exists, and waits for it. Concurrent calls share one run. */
    provisionWallet: (input: ProvisionWalletInput) =>
      within(provisionTimeoutMs, async () => (await (await startWallet(input)).result()) as ProvisionWalletResult),
    /** The same without waiting, for a sign-in that must not be slowed down. */
    startProvisioning: (input: ProvisionWalletInput) =>
      within(queryTimeoutMs, async () => void (await startWallet(input))),

    /** Signs, or gives back the signature that exists already. A failed attempt does not stick. */
    signDigest: (input: SignDigestInput) =>
      startSigning(client, {
        type: workflowTypes.signDigest,
        workflowId: workflowIds.sign(input.walletId, input.digest),
        summary: `sign ${input.digest.slice(0, 18)}… on chain ${input.transaction.chainId}`,
        input,
      }),
    /** The same for a message. */
    signMessage: (input: SignMessageInput) =>
      startSigning(client, {
        type: workflowTypes.signMessage,
        workflowId: workflowIds.message(input.walletId, input.requestHash),
        summary: `sign the message of request ${input.requestHash.slice(0, 18)}…`,
        input,
      }),

    /** Gives a wallet other owners. Concurrent changes from the same record share one run, so compare the answer. */
    changeOwners: (input: ChangeOwnersInput) =>
      within(signTimeoutMs, async () => (await (await startChange(input)).result()) as ChangeOwnersResult),
    /** Seals a wallet's key under another version, without waiting: the old seal opens meanwhile. */
    startResealing: (input: ResealWalletInput) => within(queryTimeoutMs, async () => void (await startReseal(input))),

    /** What the workflow says about a proof; null when no workflow or no worker answers in time: then the record counts. */
    queryProof(slug: string, timeoutMs = proofTimeoutMs): Promise<ProofProgress | null> {
      const handle: WorkflowHandle = client.workflow.getHandle(workflowIds.receipt(slug))
      return within(timeoutMs, () => handle.query<ProofProgress, []>(messages.proof)).catch(() => null)
    },

    /** Operator: tries a failed publication again, from the step that failed. */
    retryPublish: operate(messages.retryPublish),
    /** Operator: gives a failed publication up. */
    abandonPublish: operate(messages.abandonPublish),

    /** Throws `service_unavailable` unless the server answers. For readiness. */
    check: () => within(queryTimeoutMs, async () => void (await client.workflowService.getSystemInfo({}))),
    /** Throws `service_unavailable` unless a worker asked this queue for work within the last minute. For readiness. */
    checkPollers: (queue: keyof typeof taskQueues) =>
      within(queryTimeoutMs, async () => {
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
  }
}
