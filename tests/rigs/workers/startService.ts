import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { WorkflowNotFoundError } from '@temporalio/common'
import { NativeConnection, type Worker, type WorkflowBundleOption } from '@temporalio/worker'
import { createSigningCalls } from './createSigningCalls.js'
import { installQuietRuntime } from './quietRuntime.js'
import { pino } from 'pino'
import { privateKeyToAddress } from 'viem/accounts'
import type { Hex } from '@perigee/core'
import { subjectCommitment, zeroAddress } from '@perigee/core/authorisation'
import { EnvReader } from '@perigee/core/config'
import type { NewOwners } from '@perigee/core/workflow'
import { createStatements } from '../../../api/authority/createStatements.js'
import { insertUser } from '../publishing/seedProof.js'
import { startSatellite } from '../servers/startSatellite.js'
import { sharedPki } from '../sharedPki.js'
import { createCoordinatorAttestor } from '../../../clients/snp/createCoordinatorAttestor.js'
import { createRequestKey } from '../../../clients/snp/createRequestKey.js'
import { parseCoordinatorConfig } from '../../../clients/snp/config.js'
import { findWallet } from '../../../database/index.js'
import { createChannelCertificates } from '../../../core/x509/testing/createChannelCertificates.js'
import { createSimulatedRelease } from '../../../core/simulation/testing/createSimulatedRelease.js'
import { clientTls, enclaveEnv } from '../../../enclave/testing/createTestWorld.js'
import { serveEnclave } from '../../../clients/enclave/testing/serveEnclave.js'
import { connectionOptions, createDataConverter, temporalClientOn, type Tracing } from '../../../temporal/index.js'
import { components, freshDatabase, freshNamespace, freshPublisher } from '../../harness/index.js'
import { testCodecKey } from '../../../temporal/testing/keepHistory.js'
import { parseConfig } from '../../../workers/config.js'
import { createActivities, type ActivityDeps } from '../../../workers/createActivities.js'
import { createWorkers, type QueueName } from '../../../workers/createWorkers.js'
import { openDeps } from '../../../workers/openDeps.js'
import { cachedBundle } from '../../../temporal/bundle/cachedBundle.js'

installQuietRuntime()

/** The shared PKI, with a release. */
export async function simulationDir(): Promise<string> {
  const dir = await sharedPki()
  createSimulatedRelease(dir)
  return dir
}

export interface ServiceOptions {
  env?: Record<string, string>
  change?: (deps: ActivityDeps) => void
  workflowBundle?: WorkflowBundleOption
  tracing?: Tracing
}

/** Everything behind the API, as it is deployed: configuration, wiring, workers, and an enclave that truly signs. */
export async function startService(options: ServiceOptions = {}) {
  const [dir, fresh, namespace, publisherKey, satellite] = await Promise.all([
    simulationDir(),
    freshDatabase(),
    freshNamespace(),
    freshPublisher(),
    startSatellite(),
  ])
  const channel = await createChannelCertificates(join(dir, 'channel'))
  const own: Record<string, string> = {
    ...enclaveEnv(dir, channel, satellite.trust.keys, '31337'),
    LOG_LEVEL: 'error',
    ENCLAVE_CLIENT_CERT: channel.clientCert,
    ENCLAVE_CLIENT_KEY: channel.clientKey,
    ENCLAVE_CLIENT_CA: channel.ca,
    ENTROPY_SOURCES: 'simulated',
    SATELLITE_URL: satellite.url,
    PUBLIC_API_URL: 'http://localhost:8080',
    DATABASE_URL: fresh.url,
    TEMPORAL_ADDRESS: components().temporalAddress,
    ...components().temporalAccess,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_CODEC_KEYS: testCodecKey,
    IPFS_API_URLS: components().ipfsApiUrl,
    IPFS_REQUIRED_PINS: '1',
    CHAIN_ID: String(components().chainId),
    CHAIN_RPC_URLS: components().rpcUrl,
    CHAIN_CONFIRMATIONS: '1',
    CHAIN_POLL_MS: '50',
    CONTRACT_ADDRESS: components().contractAddress,
    RELEASES_ADDRESS: components().releasesAddress,
    PUBLISHER_PRIVATE_KEYS: publisherKey,
    PUBLISHER_ADDRESSES: privateKeyToAddress(publisherKey),
    PUBLISH_UNSENT_AFTER: '0', // most tests do not broadcast what they have signed
    ...options.env,
  }
  const tls = clientTls(channel)
  const enclave = await serveEnclave({ dir, env: own, tls })
  const env = { ...own, ENCLAVE_URL: enclave.url }
  const config = parseConfig(env)
  const connection = await Connection.connect(connectionOptions(config.temporal))
  const native = await NativeConnection.connect(connectionOptions(config.temporal))
  const dataConverter = createDataConverter(config.temporal.codecKeys)
  const client = new Client({ connection, namespace, dataConverter })
  const workerClient = new Client({
    connection: native,
    namespace,
    dataConverter,
    ...(options.tracing && { interceptors: { workflow: options.tracing.clientInterceptors } }),
  })
  const log = pino({ level: 'silent' })
  const { deps, close } = await openDeps(config, log, workerClient)
  options.change?.(deps)
  const running: { worker: Worker; done: Promise<void> }[] = []
  const temporal = temporalClientOn(connection, config.temporal, options.tracing)

  // The API's side: its attestation, and statements about people who are signed in.
  const requestKey = createRequestKey()
  const coordinator = parseCoordinatorConfig(new EnvReader(env), config.trust)
  const attestor = createCoordinatorAttestor(coordinator.open(requestKey.publicKey))
  const statements = createStatements(attestor, requestKey)
  const subjects = new Map<string, Hex>()
  const subjectOf = (userId: string): Hex => subjects.get(userId) ?? `0x${'ee'.repeat(32)}`

  return {
    env,
    config,
    deps,
    client,
    namespace,
    satellite,
    enclave,
    /** Of the channel to the enclave. */
    tls,
    database: deps.database,
    temporal,
    attestor,
    statements,

    async startWorkers(queues: readonly QueueName[] = ['sign', 'publish', 'chain']): Promise<void> {
      const workers = await createWorkers({
        connection: native,
        temporal: config.temporal,
        activities: createActivities(deps),
        queues,
        log,
        workflowBundle: options.workflowBundle ?? (await cachedBundle()),
        inMainThread: true,
        ...(options.tracing && { tracing: options.tracing }),
      })
      for (const worker of workers) running.push({ worker, done: worker.run() })
    },
    async stopWorkers(): Promise<void> {
      for (const { worker } of running) worker.shutdown()
      await Promise.all(running.splice(0).map(({ done }) => done))
    },

    /** A person who has signed in once. */
    async newUser(): Promise<string> {
      const id = randomUUID()
      const pepper: Hex = `0x${randomBytes(32).toString('hex')}`
      await insertUser(deps.database, id, pepper)
      subjects.set(id, subjectCommitment('test', id, pepper))
      return id
    },
    /** Who that person is to the enclave. */
    subjectOf,

    /** Makes a person's wallet as the API does. */
    async provision(userId: string, owned: NewOwners | null = null) {
      const stated = await statements.createKey(this.subjectOf(userId), owned)
      return temporal.provisionWallet({ userId, owned, ...stated })
    },

    ...createSigningCalls({ database: deps.database, statements, temporal }),

    /** Changes the owners as the API does for the wallet's owner. */
    async changeOwners(walletId: string, change: NewOwners) {
      const wallet = await findWallet(deps.database, walletId)
      const subject = this.subjectOf(wallet?.userId ?? '')
      const stated = await statements.changeOwners(subject, wallet?.address ?? zeroAddress, change)
      return temporal.changeOwners({ walletId, ...change, ...stated })
    },

    /** How the publication ends. A caller may have the slug before the publication has started. */
    async publicationOf(slug: string): Promise<unknown> {
      const handle = client.workflow.getHandle(`receipt/${slug}`)
      for (let attempt = 0; ; attempt++) {
        try {
          return await handle.result()
        } catch (error) {
          if (!(error instanceof WorkflowNotFoundError) || attempt === 100) throw error
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      }
    },

    async close(): Promise<void> {
      await this.stopWorkers()
      await close()
      await Promise.all([enclave.close(), satellite.close(), connection.close(), native.close()])
      await fresh.drop()
    },
  }
}

export type TestService = Awaited<ReturnType<typeof startService>>
