import { Client, type WorkflowHandle } from '@temporalio/client'
import { NativeConnection, type Worker } from '@temporalio/worker'
import { createPublishingMeter } from '../../../clients/createPublishingMeter.js'
import { connectTemporal, reach } from '../../../dev/stack/stackTemporal.js'
import { installQuietRuntime } from '../workers/quietRuntime.js'
import { pino } from 'pino'
import type { DataSource } from 'typeorm'
import type { TxMetadata } from '@perigee/core'
import type { ProofProgress } from '@perigee/core/workflow'
import type { ChainConfig } from '../../../clients/chain/ChainConfig.js'
import { createChain } from '../../../clients/chain/createChain.js'
import { createPublisher } from '../../../clients/chain/publisher/createPublisher.js'
import { createTransactionLookup } from '../../../clients/chain/createTransactionLookup.js'
import { createEntropyActivities } from '../../../activities/evidence/createEntropyActivities.js'
import { createBroadcastActivities } from '../../../activities/publishing/createBroadcastActivities.js'
import { createChainActivities } from '../../../activities/publishing/createChainActivities.js'
import { createOrphanActivities } from '../../../activities/publishing/createOrphanActivities.js'
import { createPinActivities, type PinDeps } from '../../../activities/publishing/createPinActivities.js'
import { createRecordActivities } from '../../../activities/publishing/createRecordActivities.js'
import { createDeadLetterActivities } from '../../../activities/webhooks/createDeadLetterActivities.js'
import { createRetentionActivities } from '../../../activities/createRetentionActivities.js'
import { createKuboNode } from '../../../clients/ipfs/createKuboNode.js'
import type { PinningNode } from '../../../clients/ipfs/PinningNode.js'
import { createDataConverter, restartPublishing, temporalClientOn } from '../../../temporal/index.js'
import {
  chainConfigOf,
  components,
  freshNamespace,
  freshPublisher,
  openFresh,
  type TestChain,
} from '../../harness/index.js'
import { testCodecKeys as codecKeys } from '../../../temporal/testing/keepHistory.js'
import { createWorkers, type QueueName } from '../../../workers/createWorkers.js'
import type { PerigeeActivities } from '../../../workers/createActivities.js'
import { noEvidence, seedProof, type SeededProof } from './seedProof.js'
import { uncheckedRequest } from '../uncheckedRequest.js'
import { bundleWith, type Budgets } from '../workers/bundleWith.js'

installQuietRuntime()

export interface PublishingOptions {
  chain?: Partial<ChainConfig>
  testChain?: TestChain
  nodes?: readonly PinningNode[]
  evidence?: PinDeps['evidence']
  required?: number
  queues?: readonly QueueName[]
  /** Changed budgets of the workflows. */
  budgets?: Budgets
  publishUnsentAfterSeconds?: number
}

/** Real database, Temporal, Kubo and chain, with workers for publishing. Signatures are seeded, not made. */
export async function startPublishingRig(options: PublishingOptions = {}) {
  const testChain = options.testChain ?? components()
  const [fresh, namespace, key] = await Promise.all([openFresh(), freshNamespace(), freshPublisher(testChain)])
  const { database } = fresh
  const temporal = { namespace, codecKeys }
  const [connection, native] = await Promise.all([
    connectTemporal(components()),
    NativeConnection.connect(reach(components())),
  ])
  const client = new Client({ connection, namespace, dataConverter: createDataConverter(codecKeys) })
  const chainConfig = chainConfigOf(testChain, key, { pollMs: 50, ...options.chain })
  const chain = createChain(chainConfig)
  const meter = createPublishingMeter()
  const pins = createPinActivities({
    database,
    evidence: options.evidence ?? noEvidence,
    chain,
    nodes: options.nodes ?? [createKuboNode(components().ipfsApiUrl)],
    required: options.required ?? 1,
    meter,
  })
  const log = pino({ level: 'silent' })
  const noEntropy = { take: () => Promise.reject(new Error('nothing is signed here')) }
  const activities = {
    // A seeded signature is found by the first step of `signDigest`, which then starts the publication as always.
    sign: createEntropyActivities({ database, entropy: noEntropy }) as PerigeeActivities['sign'],
    publish: {
      ...pins,
      ...createRecordActivities({ database }),
      ...createDeadLetterActivities({ database }),
      ...createRetentionActivities({ database }),
      ...createOrphanActivities({
        database,
        startPublishing: (proof, open) => restartPublishing(client, proof, 'repairProofs', open),
      }),
    },
    chain: {
      ...createBroadcastActivities({
        database,
        transactions: createTransactionLookup(new Map([[chainConfig.chainId, [testChain.rpcUrl]]]), log),
        publishUnsentAfterSeconds: options.publishUnsentAfterSeconds ?? 0,
      }),
      ...createChainActivities({ database, chain, publisher: createPublisher(database, chain), meter }),
    },
  }
  const temporalClient = temporalClientOn(connection, temporal)
  const running: { worker: Worker; done: Promise<void> }[] = []

  return {
    database,
    databaseUrl: fresh.url,
    client,
    namespace,
    chain,
    chainConfig,
    codecKeys,
    activities,
    temporal: temporalClient,
    seed: (transaction: Partial<TxMetadata> = {}, more: Parameters<typeof seedProof>[2] = {}) =>
      seedProof(database, { chainId: chainConfig.chainId, contract: chainConfig.contract }, { transaction, ...more }),

    async startWorkers(queues: readonly QueueName[] = options.queues ?? ['sign', 'publish', 'chain']): Promise<void> {
      const workflowBundle = await bundleWith(options.budgets)
      const input = { connection: native, temporal, activities, workflowBundle, queues, log, inMainThread: true }
      for (const worker of await createWorkers(input)) running.push({ worker, done: worker.run() })
    },
    async stopWorkers(): Promise<void> {
      for (const { worker } of running) worker.shutdown()
      await Promise.all(running.splice(0).map(({ done }) => done))
    },

    /** Starts a publication as production does: as the child of the run that signed. */
    async publish({ walletId, digest, transaction, slug }: SeededProof): Promise<WorkflowHandle> {
      await temporalClient.signDigest({ walletId, digest, transaction, ...uncheckedRequest() })
      await client.workflow.getHandle(`sign/${walletId}/${digest}`).result() // it has seen the child started
      return client.workflow.getHandle(`receipt/${slug}`)
    },

    /** Waits until the `proof` query gives this state. */
    async reaches(slug: string, status: ProofProgress['status'], timeoutMs = 180_000): Promise<ProofProgress> {
      const until = Date.now() + timeoutMs
      // A query costs the server, a worker and this process; what takes longer is asked about less often.
      for (let pauseMs = 50; ; pauseMs = Math.min(1.5 * pauseMs, 400)) {
        const progress = await client.workflow.getHandle(`receipt/${slug}`).query<ProofProgress>('proof')
        if (progress.status === status) return progress
        if (Date.now() > until) throw new Error(`still ${progress.status} after ${timeoutMs} ms (${progress.failure})`)
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    },

    async close(): Promise<void> {
      await this.stopWorkers()
      await Promise.all([connection.close(), native.close(), fresh.close()])
    },
  }
}

export type PublishingRig = Awaited<ReturnType<typeof startPublishingRig>>

/** The status column of a proof. */
export async function recordOf(
  database: DataSource,
  slug: string,
): Promise<{ status: string; cid: string | null; error_code: string | null; onchain_tx_hash: string | null }> {
  const [row] = await database.query('SELECT * FROM publications WHERE slug = $1', [slug])
  return row
}
