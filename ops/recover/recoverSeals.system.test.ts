import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest, type Hex } from '@perigee/core'
import { ownersHash } from '@perigee/core/authorisation'
import { workflowIds } from '@perigee/core/workflow'
import { hashOfBytes } from '../../clients/enclave/keyEvidence.js'
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

const quote = '0x0a0b'
const verifyQuote = { quoteHash: hashOfBytes(quote) }
const next = { sealedKey: '0x02', quote }
const owners = ownersOf([createSoftPasskey()])
const recordOwners = { ownersHash: ownersHash(owners) }
const mismatch = { code: 'binding_mismatch' }
const recoverSealWith = (result: object, steps: object = { verifyQuote }, apply = false) => {
  const resealKeyInEnclave = { key: { sealedKey: from }, answer: next }
  const all = { resealKeyInEnclave, recordReseal: { version: 2, ...result }, ...steps }
  return recoverWith(recoverSeal, { walletId }, new Map(Object.entries(all)), apply)
}
const recoverOwnersWith = (sealedKey: Hex, steps: object = { verifyQuote, recordOwners }, apply = false) => {
  const all = { changeOwnersInEnclave: { sealedKey, answer: next }, ...steps }
  return recoverWith(recoverOwners, { walletId, owners, credentials: [] }, new Map(Object.entries(all)), apply)
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
    const other = { quoteHash: hashOfBytes('0x0c') }
    for (const steps of [{}, { verifyQuote: {} }, { verifyQuote: other }]) {
      await expect(recoverSealWith({ recorded: true }, steps, apply)).rejects.toMatchObject(mismatch)
      await expect(recoverOwnersWith(from, { ...steps, recordOwners }, apply)).rejects.toMatchObject(mismatch)
    }
    // Another step's result under the name of the one that records, and that of a change to other owners.
    for (const copied of [verifyQuote, { sealedKey: from, answer: next }, { ownersHash: ownersHash(null) }]) {
      await expect(recoverOwnersWith(from, { verifyQuote, recordOwners: copied }, apply)).rejects.toMatchObject(
        mismatch,
      )
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
