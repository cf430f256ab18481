import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPublicClient, http, parseAbiItem } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import { getProof } from '../database/index.js'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { keepHistory } from '../temporal/testing/keepHistory.js'
import { components } from '../tests/harness/index.js'
import { startService, type TestService } from '../workers/testing/startService.js'

const event = parseAbiItem('event AttestationPublished(address indexed wallet, bytes32 indexed txHash, string ipfsCid)')
const program = fileURLToPath(new URL('../workers/testing/crashingWorker.ts', import.meta.url))
const dir = mkdtempSync(join(tmpdir(), 'perigee-crashes-'))
const failpoint = join(dir, 'failpoint')

let service: TestService
const workers = new Set<ChildProcess>()
let deaths = 0
let stopping = false

/** A worker process that is started again whenever it dies. */
function keepRunning(): void {
  const worker = spawn(process.execPath, ['--import', 'tsx', program], {
    env: { PATH: process.env.PATH, ...service.env, FAILPOINT_FILE: failpoint },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  workers.add(worker)
  worker.once('exit', () => {
    workers.delete(worker)
    if (stopping) return
    deaths++
    keepRunning()
  })
}

beforeAll(async () => {
  service = await startService()
  // Two, as in production: while one is being started again, the other goes on.
  keepRunning()
  keepRunning()
  await provision(await service.newUser())
})
afterAll(async () => {
  stopping = true
  for (const worker of workers) worker.kill('SIGKILL')
  await service.close()
  rmSync(dir, { recursive: true })
})

/** A caller who asks again when no worker was there: they take seconds to start. */
async function provision(userId: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await service.temporal.provisionWallet(userId)).walletId
    } catch (error) {
      if (attempt === 3) throw error
    }
  }
}

/** Before and after the steps of the three workflows. */
const points = [
  ['enclave.createKey:after', 'provision'],
  ['entropy.take:after', 'sign'],
  ['enclave.signTransaction:after', 'sign'],
  ['database.transaction:before', 'sign'],
  ['database.transaction:after', 'sign'],
  ['ipfs.pin:after', 'publish'],
  ['chain.broadcast:before', 'publish'],
  ['chain.broadcast:after', 'publish'],
] as const

test.each(points)('a worker killed at %s (%s) costs nothing but time', async (point, step) => {
  const before = deaths
  const arm = (when: string) => {
    if (when === step) writeFileSync(failpoint, point)
  }
  arm('provision')
  const userId = await service.newUser()
  const walletId = await provision(userId)
  arm('sign')
  const transaction = newTransaction()
  const digest = transactionDigest(transaction)
  const call = { walletId, transaction, digest, expiresAtMs: Date.now() + 60_000 }
  arm('publish')
  const { signature, slug } = await service.temporal.signDigest(call)
  expect(await service.publicationOf(slug)).toBe('complete')

  expect(existsSync(failpoint)).toBe(false)
  expect(deaths).toBe(before + 1)
  expect(await service.temporal.signDigest(call)).toEqual({ signature, slug })
  const [rows] = await service.database.query(
    `SELECT (SELECT count(*)::int FROM wallets WHERE user_id = $1) AS wallets,
            (SELECT count(*)::int FROM transactions WHERE wallet_id = $2) AS signatures`,
    [userId, walletId],
  )
  expect(rows).toEqual({ wallets: 1, signatures: 1 })
  const proof = await getProof(service.database, slug)
  const chain = createPublicClient({ transport: http(components().rpcUrl) })
  const events = await chain.getLogs({ event, args: { txHash: proof?.txHash ?? '0x' }, fromBlock: 0n })
  expect(events.map(({ args }) => args.ipfsCid)).toEqual([proof?.ipfsCid])

  const name = `killed-${step}-${point.replaceAll(/[.:]/g, '-')}`
  if (step === 'provision') await keepHistory(service.client, `wallet/${userId}`, name)
  if (step === 'sign') await keepHistory(service.client, `sign/${walletId}/${digest}`, name)
  if (step === 'publish') await keepHistory(service.client, `receipt/${slug}`, name)
})
