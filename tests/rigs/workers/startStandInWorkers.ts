import { Client, type WorkflowHandle } from '@temporalio/client'
import { NativeConnection, type Worker } from '@temporalio/worker'
import { connectTemporal, reach } from '../../../dev/stack/stackTemporal.js'
import { pino } from 'pino'
import type { Hex } from '@perigee/core'
import { priorities, taskQueues, workflowIds, workflowTypes } from '@perigee/core/workflow'
import { newTransaction, randomHex } from '../../../enclave/testing/createTestWorld.js'
import { cachedBundle } from '../../../temporal/bundle/cachedBundle.js'
import { createDataConverter, temporalClientOn } from '../../../temporal/index.js'
import { testCodecKeys as codecKeys } from '../../../temporal/testing/keepHistory.js'
import type { PerigeeActivities } from '../../../workers/createActivities.js'
import { createWorkers, type QueueName, type WorkersInput } from '../../../workers/createWorkers.js'
import { components, freshNamespace } from '../../harness/index.js'
import { patiently } from '../patiently.js'
import { installQuietRuntime } from './quietRuntime.js'
import { uncheckedRequest } from '../uncheckedRequest.js'

installQuietRuntime()

export interface StandInOptions {
  /** How long each signature takes. */
  signMs?: number
  /** Publications wait here before they are complete. */
  beforePublished?: () => Promise<void>
}

/** The real workflows, starters, queues and worker settings on the real server; the activities only note who ran them. */
export async function startStandInWorkers({ signMs = 0, beforePublished }: StandInOptions = {}) {
  const namespace = await freshNamespace()
  const temporal = { namespace, codecKeys }
  const connection = await connectTemporal(components())
  const native = await NativeConnection.connect(reach(components()))
  const client = new Client({ connection, namespace, dataConverter: createDataConverter(codecKeys) })
  const temporalClient = temporalClientOn(connection, temporal)
  const running: { worker: Worker; done: Promise<void> }[] = []
  const inputOf = (walletId: string) => {
    return { walletId, digest: randomHex(32), transaction: newTransaction(), ...uncheckedRequest() }
  }
  /** In the order of their first step. */
  const signed: { walletId: string; buildId: string | undefined }[] = []

  const activitiesOf = (buildId?: string) => ({
    sign: {
      /** Says that the signature exists, so signDigest goes straight to its publication. */
      async fetchEntropy({ walletId, digest }: { walletId: string; digest: Hex }) {
        signed.push({ walletId, buildId })
        await new Promise((resolve) => setTimeout(resolve, signMs))
        const proof = { kind: 'transaction', slug: `slug-${digest.slice(2, 26)}`, txHash: digest, chainId: 31337 }
        return { signed: { ...proof, signature: '0x00', wallet: `0x${'11'.repeat(20)}` } }
      },
    },
    publish: { pinReceipt: () => Promise.resolve({ cid: 'bafkreistandin' }) },
    chain: {
      awaitBroadcast: () => Promise.resolve(),
      async publishOnchain() {
        await beforePublished?.()
        return { onchainTxHash: randomHex(32), onchainBlockNumber: 1, onchainBlockHash: randomHex(32) }
      },
    },
  })

  return {
    namespace,
    client,
    signed,

    async startWorkers(
      deployment?: WorkersInput['deployment'],
      queues: readonly QueueName[] = ['sign', 'publish', 'chain'],
    ): Promise<void> {
      const workers = await createWorkers({
        connection: native,
        temporal,
        activities: activitiesOf(deployment?.buildId) as unknown as PerigeeActivities,
        queues,
        workflowBundle: await cachedBundle(),
        inMainThread: true,
        log: pino({ level: 'silent' }),
        deployment: deployment ?? null,
      })
      for (const worker of workers) running.push({ worker, done: worker.run() })
    },

    /** Signs as the API does; returns the slug. */
    async sign(walletId: string): Promise<string> {
      const input = inputOf(walletId)
      return (await patiently(() => temporalClient.signDigest(input))).slug
    },

    /** Starts a signing run that no caller waits for, as the API starts one. */
    start(walletId: string): Promise<WorkflowHandle> {
      const input = inputOf(walletId)
      return client.workflow.start(workflowTypes.signDigest, {
        workflowId: workflowIds.sign(walletId, input.digest),
        taskQueue: taskQueues.sign,
        args: [input],
        priority: priorities.sign(walletId),
      })
    },

    async close(): Promise<void> {
      for (const { worker } of running) worker.shutdown()
      // Not `all`: Temporal's core may have panicked over a local activity that was retried, and then keeps a worker.
      await Promise.allSettled(running.map(({ done }) => done))
      await Promise.all([connection.close(), native.close()])
    },
  }
}

export type StandInWorkers = Awaited<ReturnType<typeof startStandInWorkers>>
