import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isTerminal, transactionDigest, type ProofPayload, type TxMetadata } from '@perigee/core'
import { ServiceClient } from '@perigee/sdk'
import { openDatabase } from '../database/index.js'
import { startStack, type Stack } from '../dev/stack/startStack.js'
import { signIn } from '../tests/thread/signIn.js'

// The whole stack with the API and a signing worker in one process, and the usual worker beside it.
let folder: string
let stack: Stack
let api: ServiceClient['api']
let nonce = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-combined-'))
  stack = await startStack({
    ...{ dir: join(folder, '.perigee'), ports: 'free', env: { ...process.env, SIGN_IN_PROCESS: 'true' } },
    arrange: async (ports) => ({
      ...{ apiPorts: [ports.api.port], workers: 1 },
      envOf: () => ({}),
    }),
  })
  const { apiUrl, webUrl, chainId, rpcUrl } = stack.file
  const jar = await signIn(apiUrl, 'ada@example.test', `${webUrl}/`)
  const own = { cookie: jar.header(), origin: new URL(webUrl).origin }
  ;({ api } = new ServiceClient({
    ...{ apiBaseUrl: apiUrl, chainId, rpcUrl, identityProvider: 'dev' },
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, ...own } }),
  }))
  await api.provisionWallet()
}, 300_000)

afterAll(async () => {
  await stack?.stop()
  await rm(folder, { recursive: true, force: true })
})

function request() {
  const txMetadata: TxMetadata = {
    ...{ chainId: stack.file.chainId, nonce: nonce++, to: `0x${'aa'.repeat(20)}`, value: '1', data: '0x' },
    ...{ gas: '21000', maxFeePerGas: '2000000000', maxPriorityFeePerGas: '1000000000' },
  }
  return { digest: transactionDigest(txMetadata), txMetadata }
}

async function whenTerminal(slug: string): Promise<ProofPayload> {
  for (;;) {
    const proof = await api.getProof(slug).catch(() => null)
    if (proof && isTerminal(proof.status)) return proof
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** An update in the history means that the answer came back by way of the server. */
async function cameFromServer(slug: string, digest: string): Promise<boolean> {
  const { temporalAddress, namespace, databaseUrl } = stack.file
  const database = await openDatabase({ url: databaseUrl })
  const connection = await Connection.connect({ address: temporalAddress })
  const [row] = await database.query('SELECT wallet_id FROM transactions WHERE slug = $1', [slug])
  const handle = new Client({ connection, namespace }).workflow.getHandle(`sign/${row.wallet_id}/${digest}`)
  const { events } = await handle.fetchHistory()
  await Promise.all([database.destroy(), connection.close()])
  return !!events?.some((one) => one.workflowExecutionUpdateAcceptedEventAttributes)
}

test('a request is signed in the process that took it', async () => {
  for (let attempt = 1; ; attempt++) {
    const call = request()
    const { slug } = await api.signDigest(call)
    expect((await whenTerminal(slug)).status).toBe('complete')
    if (!(await cameFromServer(slug, call.digest))) return
    expect(attempt).toBeLessThan(10) // the first ones may take a second on a busy machine, and are then asked for
  }
}, 60_000)
