import { createPublicClient, http, sha256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import { attestationPublished } from '@perigee/core/proof'
import { ownersHash } from '@perigee/core/authorisation'
import { createSoftPasskey } from '../core/authorisation/testing/createSoftPasskey.js'
import { approveOwners, ownersOf } from '../core/authorisation/testing/softOwners.js'
import { findBirth, findWallet, getProof, WalletEntity } from '../database/index.js'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { keepHistory } from '../temporal/testing/keepHistory.js'
import { components } from '../tests/harness/index.js'
import { describeMessageCrashes } from '../tests/rigs/failpoints/describeMessageCrashes.js'
import { failpointsOf } from '../tests/rigs/failpoints/failpoints.js'
import { findReseals } from '../tests/rigs/findReseals.js'
import { runRepair } from '../tests/rigs/publishing/runRepair.js'
import { sealUnderVersionOne } from '../tests/rigs/sealUnderVersionOne.js'
import { startMortalWorkers, type MortalWorkers } from '../tests/rigs/failpoints/startMortalWorkers.js'
import { patiently } from '../tests/rigs/patiently.js'
import { simulationDir, startService, type TestService } from '../tests/rigs/workers/startService.js'

const isRecording = process.env.RECORD_HISTORIES === 'true'

let service: TestService
let workers: MortalWorkers
/** Signs wherever a test needs a wallet that exists already. */
let signer: Wallet

beforeAll(async () => {
  service = await startService({ env: { PUBLISH_UNSENT_AFTER: '2', ENCLAVE_SEALING_VERSIONS: '2,1' } })
  workers = await startMortalWorkers(service.env)
  signer = await newWallet()
})
afterAll(async () => {
  workers?.stop()
  await service?.close()
})

interface Wallet {
  userId: string
  walletId: string
}
async function newWallet(): Promise<Wallet> {
  const userId = await service.newUser()
  const { walletId } = await patiently(() => service.provision(userId))
  return { userId, walletId }
}
async function signaturesOf(walletId: string): Promise<number> {
  const count = 'SELECT count(*)::int AS signatures FROM transactions WHERE wallet_id = $1'
  const [row] = await service.database.query<{ signatures: number }[]>(count, [walletId])
  return row?.signatures ?? NaN
}

/**
 * Before and after each step of the workflows. `npm run histories` goes through all of them, and so does the soak
 * (`npm run soak -- --failpoints`); every test run through those where most is at stake.
 */
const everyTime = [
  'provision recordWallet:after',
  'provision startChild:after',
  'sign signInEnclave:after',
  'sign recordSignature:after',
  'sign startChild:after',
  'publish pinReceipt:after',
  'publish chain.broadcast:before',
  'publish chain.broadcast:after',
]
const points = (['provision', 'sign', 'publish'] as const)
  .flatMap((step) => failpointsOf(step).map((point) => [point, step] as const))
  .filter(([point, step]) => isRecording || everyTime.includes(`${step} ${point}`))

test.each(points)('a worker killed at %s (%s) costs nothing but time', async (point, step) => {
  const before = workers.deaths()
  const arm = (when: string) => {
    if (when === step) workers.dieAt(point)
  }
  arm('provision')
  const { userId, walletId } = step === 'provision' ? await newWallet() : signer
  const signed = await signaturesOf(walletId)
  const birth = await findBirth(service.database, walletId)
  expect(await service.publicationOf(birth?.slug ?? '')).toBe('complete') // so that the next death is not the birth's
  arm('sign')
  const transaction = newTransaction()
  const digest = transactionDigest(transaction)
  const call = { walletId, transaction, digest, expiresAtMs: Date.now() + 60_000 }
  arm('publish')
  const { signature, slug } = await patiently(() => service.sign(call))
  expect(await service.publicationOf(slug)).toBe('complete')

  expect(workers.isWaiting()).toBe(false)
  expect(workers.deaths()).toBe(before + 1)
  const name = `killed-${step}-${point.replaceAll(/[.:]/g, '-')}`
  const workflowId = { provision: `wallet/${userId}`, sign: `sign/${walletId}/${digest}`, publish: `receipt/${slug}` }[
    step
  ]
  await service.client.workflow.getHandle(workflowId).result()
  await keepHistory(service.client, workflowId, name) // before the next call, whose run has the same id
  expect(await patiently(() => service.sign(call))).toEqual({ signature, slug })
  const [rows] = await service.database.query(
    `SELECT (SELECT count(*)::int FROM wallets WHERE user_id = $1) AS wallets,
            (SELECT count(*)::int FROM publications WHERE wallet_id = $2 AND kind = 'birth') AS births`,
    [userId, walletId],
  )
  expect(rows).toEqual({ wallets: 1, births: 1 })
  expect(await signaturesOf(walletId)).toBe(signed + 1)
  const chain = createPublicClient({ transport: http(components().rpcUrl) })
  for (const published of [slug, birth?.slug ?? '']) {
    const proof = await getProof(service.database, published)
    const txHash = proof?.txHash ?? '0x'
    const events = await chain.getLogs({ event: attestationPublished, args: { txHash }, fromBlock: 0n })
    expect(events.map(({ args }) => args.ipfsCid)).toEqual([proof?.ipfsCid])
  }
})

test.each(isRecording ? failpointsOf('owners') : ['recordOwners:after'])(
  'a worker killed at %s while owners change costs nothing but time',
  async (point) => {
    const before = workers.deaths()
    const { walletId } = await newWallet()
    const wallet = await findWallet(service.database, walletId)
    const passkeys = [createSoftPasskey()]
    const owners = ownersOf(passkeys)
    const approval = approveOwners(owners, { passkeys }, { address: wallet?.address ?? '0x' })
    workers.dieAt(point)
    const ask = () => patiently(() => service.changeOwners(walletId, { owners, approval, credentials: [] }))
    const answer = await ask()
    expect(answer).toEqual({ ownersHash: ownersHash(owners) })
    await keepHistory(service.client, `owners/${walletId}/0`, `killed-owners-${point.replaceAll(/[.:]/g, '-')}`)
    expect(workers.isWaiting()).toBe(false)
    expect(workers.deaths()).toBe(before + 1)
    expect(await ask()).toEqual(answer)
    expect(await findWallet(service.database, walletId)).toMatchObject({ owners, since: 'upgrade' })
  },
)

test.each(isRecording ? failpointsOf('reseal') : ['recordReseal:after'])(
  'a worker killed at %s while a key is resealed costs nothing but time',
  async (point) => {
    const before = workers.deaths()
    const { userId, walletId: id } = await newWallet()
    const wallet = await findWallet(service.database, id)
    if (!wallet) throw new Error('there is no wallet')
    const sealedKey = sealUnderVersionOne(await simulationDir(), wallet)
    await service.database.getRepository(WalletEntity).update({ id }, { sealedKey })
    const stated = await service.statements.resealKey(service.subjectOf(userId), wallet.address, sealedKey)
    workers.dieAt(point)
    await service.temporal.startResealing({ walletId: id, version: 2, ...stated })
    const workflowId = `reseal/${id}/2`
    expect(await service.client.workflow.getHandle(workflowId).result()).toEqual({ version: 2 })
    await keepHistory(service.client, workflowId, `killed-reseal-${point.replaceAll(/[.:]/g, '-')}`)
    expect(workers.isWaiting()).toBe(false)
    expect(workers.deaths()).toBe(before + 1)
    const [evidence, ...others] = await findReseals(service.database, id)
    expect(others).toEqual([])
    const sealed = (await findWallet(service.database, id))?.sealedKey ?? '0x'
    expect(evidence).toMatchObject({ sealedKeyHash: sha256(sealedKey), nextSealedKeyHash: sha256(sealed) })
    const transaction = newTransaction()
    const call = { walletId: id, transaction, digest: transactionDigest(transaction) }
    const signed = await patiently(() => service.sign({ ...call, expiresAtMs: Date.now() + 60_000 }))
    expect(signed.signature).toMatch(/^0x/)
  },
)

test('a worker killed in the middle of a repair costs nothing but time', async () => {
  const { walletId } = signer
  const transaction = newTransaction()
  const call = { walletId, transaction, digest: transactionDigest(transaction) }
  const { slug } = await patiently(() => service.sign(call))
  expect(await service.publicationOf(slug)).toBe('complete')
  // A proof whose workflow was lost: the record says unfinished, and nothing runs.
  await service.database.query(
    `UPDATE publications SET status = 'pending_onchain', created_at = now() - interval '2 minutes' WHERE slug = $1`,
    [slug],
  )
  workers.dieAt('publishing.start:after')
  const repaired = await runRepair(service.client)
  expect(repaired).toMatchObject({ reopened: [] })
  expect(workers.isWaiting()).toBe(false)
  expect(await service.publicationOf(slug)).toBe('complete')
  await keepHistory(service.client, repaired.workflowId, 'killed-repair-publishing-start-after')
})

describeMessageCrashes(() => ({ service, workers, walletId: signer.walletId }))
