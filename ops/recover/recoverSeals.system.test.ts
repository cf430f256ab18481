import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest, type Hex } from '@perigee/core'
import { hashOf, ownersHash } from '@perigee/core/authorisation'
import { workflowIds } from '@perigee/core/workflow'
import { createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { findBirth, findWallet } from '../../database/index.js'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { readRun, type RunRecord } from '../../temporal/index.js'
import { startService, type TestService } from '../../tests/rigs/workers/startService.js'
import { createLosses, type Recovery } from './createLosses.js'
import { recoverOwners, recoverSeal } from './recoverSeals.js'
import { recoverSignature } from './recoverSignature.js'
import { recoverWallet } from './recoverWallet.js'

/* Seals, and histories whose steps do not fit together. */

let service: TestService
let walletId: string
let from: Hex
beforeAll(async () => {
  service = await startService()
  await service.startWorkers(['sign'])
  walletId = (await service.provision(await service.newUser())).walletId
  from = await sealOf()
})
afterAll(() => service.close())

const sealOf = async () => (await findWallet(service.database, walletId))!.sealedKey
type Recover = (run: RunRecord, recovery: Recovery) => Promise<void>
async function recoverWith(recover: Recover, input: unknown, steps: RunRecord['steps'], apply = false) {
  const losses = createLosses()
  const recovery = {
    database: service.database,
    client: service.client,
    losses,
    findBundle: async () => new Uint8Array(),
  }
  await recover({ input, steps }, { ...recovery, apply })
  return { found: losses.found.length, lost: losses.lost.map(({ kind, id }) => ({ kind, id })) }
}

const next = { sealedKey: '0x02', quote: '0x0a0b' }
const stated = { coordinator: {}, statement: {} }
const nonce = '0x01'
/** What the step said that verified this quote, about this request. */
const verifiedOf = (kind: string, request: object) => ({
  quoteHash: hashOf({ kind, request: { ...request, nonce, ...stated }, answer: next }),
})
const sealVerified = () => verifiedOf('reseal', { sealedKey: from })
const owners = ownersOf([createSoftPasskey()])
const before = { keyId: 'key', address: '0x03', owners: null, since: null }
const ownersVerified = verifiedOf('owners', { ...before, next: owners, approval: {} })
const recordOwners = { ownersHash: ownersHash(owners) }
const mismatch = { code: 'binding_mismatch' }
const recoverSealWith = (result: object, steps: object = { verifyQuote: sealVerified() }, apply = false) => {
  const resealKeyInEnclave = { key: { sealedKey: from }, nonce, answer: next }
  const all = { resealKeyInEnclave, recordReseal: { version: 2, ...result }, ...steps }
  return recoverWith(recoverSeal, { walletId, ...stated }, new Map(Object.entries(all)), apply)
}
const recoverOwnersWith = (
  sealedKey: Hex,
  steps: object = { verifyQuote: ownersVerified, recordOwners },
  apply = false,
) => {
  const all = { changeOwnersInEnclave: { ...before, sealedKey, nonce, answer: next }, ...steps }
  const input = { walletId, owners, approval: {}, credentials: [], ...stated }
  return recoverWith(recoverOwners, input, new Map(Object.entries(all)), apply)
}

test('a seal that never counted is not put back, and a change of owners that cannot be is named', async () => {
  expect(await recoverSealWith({ recorded: true })).toEqual({ found: 1, lost: [] })
  expect(await recoverSealWith({ recorded: false })).toEqual({ found: 0, lost: [] })
  expect(await recoverSealWith({})).toEqual({ found: 0, lost: [{ kind: 'seal', id: walletId }] }) // the history does not say
  expect(await recoverOwnersWith(from)).toEqual({ found: 1, lost: [] })
  expect(await recoverOwnersWith('0x03')).toEqual({ found: 0, lost: [{ kind: 'owners', id: walletId }] })
})

test.each([false, true])(
  'a seal whose quote was not verified, and owners that were not recorded, are refused (--apply: %s)',
  async (apply) => {
    const other = verifiedOf('owners', { ...before, next: null, approval: {} }) // of a change to other owners
    for (const steps of [{}, { verifyQuote: {} }, { verifyQuote: other }]) {
      await expect(recoverSealWith({ recorded: true }, steps, apply)).rejects.toMatchObject(mismatch)
      await expect(recoverOwnersWith(from, { ...steps, recordOwners }, apply)).rejects.toMatchObject(mismatch)
    }
    // Another step's result under the name of the one that records, and that of a change to other owners.
    for (const copied of [ownersVerified, { sealedKey: from, answer: next }, { ownersHash: ownersHash(null) }]) {
      await expect(
        recoverOwnersWith(from, { verifyQuote: ownersVerified, recordOwners: copied }, apply),
      ).rejects.toMatchObject(mismatch)
    }
    expect(await sealOf()).toBe(from)
  },
)

test('a history that does not say which quote was verified is refused without --apply too', async () => {
  const userId = await service.newUser()
  const { walletId: lost } = await service.provision(userId)
  const transaction = newTransaction()
  const digest = transactionDigest(transaction)
  const { slug } = await service.sign({ walletId: lost, transaction, digest })
  const born = (await findBirth(service.database, lost))!.slug
  const lose = async (slug: string) => {
    for (const table of ['attestations', 'transactions', 'publications']) {
      await service.database.query(`DELETE FROM ${table} WHERE slug = $1`, [slug])
    }
  }
  await lose(slug)
  await expectRefusal(recoverSignature, workflowIds.sign(lost, digest))
  await lose(born)
  await service.database.query('DELETE FROM wallets WHERE id = $1', [lost])
  await expectRefusal(recoverWallet, workflowIds.wallet(userId))

  async function expectRefusal(recover: Recover, workflowId: string): Promise<void> {
    const { runId } = await service.client.workflow.getHandle(workflowId).describe()
    const { input, steps } = await readRun(service.client, service.config.temporal.codecKeys, { workflowId, runId })
    expect(await recoverWith(recover, input, steps)).toEqual({ found: 1, lost: [] })
    const { quoteHash: _, ...old } = steps.get('verifyQuote') as { quoteHash: Hex }
    const without = new Map([...steps, ['verifyQuote', old]])
    await expect(recoverWith(recover, input, without)).rejects.toMatchObject(mismatch)
  }
})
