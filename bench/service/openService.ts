import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import { createPublicClient, createTestClient, http } from 'viem'
import { isTerminal, transactionDigest, type ProofPayload, type TxMetadata } from '@perigee/core'
import { ServiceClient } from '@perigee/sdk'
import { openDatabase } from '../../database/index.js'
import { startStack } from '../../dev/stack/startStack.js'
import { signIn } from '../../tests/thread/signIn.js'

// Measured is the service, not its protection against those who would measure it.
const limits = 'sign:100000/100000,address:100000/100000,attestation:100000/100000'

/** Everything that `npm start` starts, each program its own process, and a worker for the workflow that does nothing. */
export async function openService(env: Record<string, string> = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'perigee-bench-'))
  const stackEnv = { ...process.env, RATE_LIMITS: limits, ENTROPY_SUPPLY_TARGET: '512', LOG_LEVEL: 'warn', ...env }
  const stack = await startStack({ dir: join(dir, '.perigee'), ports: 'free', env: stackEnv })
  const { temporalAddress, namespace, apiUrl, webUrl, chainId, rpcUrl, databaseUrl } = stack.file
  const noopWorker = fork(fileURLToPath(new URL('./noopWorker.ts', import.meta.url)), [temporalAddress, namespace])
  const [connection, database] = await Promise.all([
    Connection.connect({ address: temporalAddress }),
    openDatabase({ url: databaseUrl }),
    once(noopWorker, 'message'),
  ])
  const temporal = new Client({ connection, namespace })
  const chain = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  let noops = 0

  return {
    ...{ database, chain, file: stack.file, noopWorkerPid: noopWorker.pid ?? 0 },
    chainReader: createPublicClient({ transport: http(rpcUrl) }),

    /** Start to result of a workflow that does nothing. */
    async noop(): Promise<void> {
      const workflowId = `noop-${noops++}`
      await temporal.workflow.execute('noop', { workflowId, taskQueue: 'noop', args: [] })
    },

    /** A person with a wallet, and what they do. */
    async newPerson(name: string) {
      const jar = await signIn(apiUrl, `${name}@example.test`, `${webUrl}/`)
      const own = { cookie: jar.header(), origin: new URL(webUrl).origin }
      const { api } = new ServiceClient({
        ...{ apiBaseUrl: apiUrl, chainId, rpcUrl, identityProvider: 'dev' },
        fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, ...own } }),
      })
      await api.provisionWallet()
      let nonce = 0
      return {
        api,
        /** Another transaction each time. The slug of its proof. */
        async sign(): Promise<string> {
          const txMetadata = { ...transfer, chainId, nonce: nonce++ }
          return (await api.signDigest({ digest: transactionDigest(txMetadata), txMetadata })).slug
        },
        async whenTerminal(slug: string): Promise<ProofPayload> {
          for (;;) {
            const proof = await api.getProof(slug)
            if (isTerminal(proof.status)) return proof
            await new Promise((resolve) => setTimeout(resolve, 50))
          }
        },
      }
    },

    /** Until every proof is published: what is measured next is not measured against the wake of this. */
    async whenQuiet(): Promise<void> {
      for (;;) {
        const [row] = await database.query<{ count: string }[]>(
          `SELECT count(*) FROM publications WHERE status <> 'complete'`,
        )
        if (row?.count === '0') return
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },

    async close(): Promise<void> {
      await Promise.all([database.destroy(), connection.close()])
      noopWorker.disconnect()
      await stack.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export type BenchService = Awaited<ReturnType<typeof openService>>
export type Person = Awaited<ReturnType<BenchService['newPerson']>>

const transfer: Omit<TxMetadata, 'chainId' | 'nonce'> = {
  ...{ to: '0x00000000000000000000000000000000000000aa', value: '1', data: '0x' },
  ...{ gas: '21000', maxFeePerGas: '2000000000', maxPriorityFeePerGas: '1000000000' },
}
