import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import type { KeyEntropy, SigningEntropy } from '../../activities/evidence/createEntropyActivities.js'
import { createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { approveOwners, ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { findWallet } from '../../database/index.js'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { startService, type TestService } from '../../tests/rigs/workers/startService.js'
import { createActivities } from '../../workers/createActivities.js'

/* Runs of one workflow id share what the codec binds payloads to, so whoever writes history can mix their inputs and results. */

let service: TestService
let steps: ReturnType<typeof createActivities>['sign']
beforeAll(async () => {
  service = await startService()
  steps = createActivities(service.deps).sign
  await service.startWorkers(['sign'])
})
afterAll(() => service.close())

type Sample<Found> = Extract<Found, { sample: unknown }>

test('a signature is recorded only as it was verified: no part of another run is taken', async () => {
  const { walletId, address } = await service.provision(await service.newUser())
  const { subject } = (await findWallet(service.database, walletId))!
  const transaction = newTransaction()
  const [digest, { chainId }] = [transactionDigest(transaction), transaction]
  const expiresAtMs = Date.now() + 60_000

  /** The steps of a run up to the record, as `signDigest` takes them. */
  async function run() {
    const about = { kind: 'transaction', address, digest, chainId, approval: null, expiresAtMs } as const
    const stated = await service.statements.sign(subject, about)
    const asked = {
      kind: 'transaction',
      walletId,
      digest,
      transaction,
      approval: null,
      expiresAtMs,
      ...stated,
    } as const
    const { sample: entropy, key } = (await steps.fetchEntropy(asked)) as Sample<SigningEntropy>
    const signed = await steps.signInEnclave({ ...asked, entropy, key })
    const { sealedKey: _, ...names } = key
    const request = { ...asked, ...names, entropy, nonce: signed.nonce }
    const verified = await steps.verifyQuote({ kind: 'sign', request, answer: signed.answer })
    return { ...asked, entropy, key, signed, verified }
  }
  const [mine, { signed, verified, statement }] = [await run(), await run()]
  const coordinator = { ...mine.coordinator, fetchedAt: mine.coordinator.fetchedAt - 1 }
  const entropy = { ...mine.entropy, receivedAt: mine.entropy.receivedAt - 1 }
  const key = { ...mine.key, owners: ownersOf([createSoftPasskey()]), since: 'upgrade' } as const
  for (const part of [{ signed }, { verified }, { statement }, { coordinator }, { entropy }, { key }]) {
    const mixed = steps.recordSignature({ ...mine, ...part })
    await expect(mixed, Object.keys(part).join()).rejects.toMatchObject({ code: 'binding_mismatch' })
  }
  expect(await steps.recordSignature(mine)).toMatchObject({ signature: mine.signed.answer.signature })
})

test('a key is recorded only for the owners it was made for', async () => {
  const userId = await service.newUser()
  const stated = await service.statements.createKey(service.subjectOf(userId), null)
  const bare = { userId, owned: null, ...stated }
  const { sample: entropy } = (await steps.fetchEntropy({ kind: 'create', userId })) as Sample<KeyEntropy>
  const key = await steps.createKeyInEnclave({ ...bare, entropy })
  const { nonce, answer } = key
  const request = { entropy, nonce, ...stated, owners: null, approval: null }
  const verified = await steps.verifyQuote({ kind: 'create', request, answer })
  const phone = createSoftPasskey()
  const owners = ownersOf([phone])
  const owned = { owners, approval: approveOwners(owners, { passkeys: [phone] }), credentials: [] }
  const mixed = steps.recordWallet({ ...bare, owned, entropy, key, verified })
  await expect(mixed).rejects.toMatchObject({ code: 'binding_mismatch' })
  expect(await steps.recordWallet({ ...bare, entropy, key, verified })).toMatchObject({ address: answer.address })
})
