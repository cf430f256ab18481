import { ownersHash, ownersIntent, transactionIntent, type OwnersRecord } from '@perigee/core/authorisation'
import type { ChangeOwnersRequest } from '@perigee/core/enclave'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSoftPasskey, createSoftRecovery } from '../../core/authorisation/testing/createSoftPasskey.js'
import { ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { codeOf, createEnclave } from '../testing/createEnclave.js'
import { createTestWorld, nowSeconds, randomHex, type TestWorld } from '../testing/createTestWorld.js'
import { changeOwnersRequest, createKeyRequest, signRequest, walletOf, type TestWallet } from '../testing/requests.js'

const [phone, laptop, thief] = [createSoftPasskey(), createSoftPasskey(), createSoftPasskey()]
const recovery = createSoftRecovery()
let world: TestWorld
let enclave: ReturnType<typeof createEnclave>
beforeAll(async () => {
  world = await createTestWorld()
  enclave = createEnclave(world)
})
afterAll(() => world.remove())

const newWallet = async (options: Parameters<typeof createKeyRequest>[1] = {}): Promise<TestWallet> => {
  const request = createKeyRequest(world, options)
  return walletOf(request, await enclave.createKey(request))
}
/** The wallet after the change that this request makes. */
const changed = async (wallet: TestWallet, request: ChangeOwnersRequest): Promise<TestWallet> => {
  const { sealedKey } = await enclave.changeOwners(request)
  return { ...wallet, sealedKey, owners: request.next, since: wallet.since ?? 'upgrade' }
}
const signs = async (wallet: TestWallet, passkey?: typeof phone) =>
  codeOf(enclave.signTransaction(signRequest(wallet, world, { passkey })))
async function refusal(work: () => Promise<unknown>) {
  const before = enclave.uses.sealingKey
  const code = await codeOf(work())
  return { code, opened: enclave.uses.sealingKey - before }
}
const unopened = (code: string) => ({ code, opened: 0 })

describe('owners change', () => {
  test('when one of them adds a device, and both sign from then on', async () => {
    const wallet = await newWallet({ passkeys: [phone] })
    const next = ownersOf([phone, laptop], { current: wallet.owners })
    const after = await changed(wallet, changeOwnersRequest(wallet, world, next, { passkeys: [phone, laptop] }))
    expect(after.since).toBe('creation')
    expect([await signs(after, phone), await signs(after, laptop)]).toEqual(['accepted', 'accepted'])
  })

  test('when one of them removes a device, which signs nothing with the new record', async () => {
    const wallet = await newWallet({ passkeys: [phone, laptop] })
    const next = ownersOf([laptop], { current: wallet.owners })
    const after = await changed(wallet, changeOwnersRequest(wallet, world, next, { passkeys: [laptop] }))
    expect([await signs(after, laptop), await signs(after, phone)]).toEqual(['accepted', 'authorisation_invalid'])
    // Neither the old record with the new key, nor the new record with the old one, opens.
    expect(await signs({ ...after, owners: wallet.owners }, phone)).toBe('sealed_key_invalid')
    expect(await signs({ ...wallet, owners: after.owners }, laptop)).toBe('sealed_key_invalid')
    // The enclave keeps no state: a holder of the old sealed key and the old device can still sign, with the old record in the receipt.
    expect(await signs(wallet, phone)).toBe('accepted')
  })

  test('by the recovery code, once', async () => {
    const wallet = await newWallet({ passkeys: [phone], recovery })
    const next = ownersOf([laptop], { current: wallet.owners })
    const after = await changed(wallet, changeOwnersRequest(wallet, world, next, { passkeys: [laptop], recovery }))
    expect([await signs(after, laptop), await signs(after, phone)]).toEqual(['accepted', 'authorisation_invalid'])
    const kept = ownersOf([laptop], { current: wallet.owners, recovery })
    const again = changeOwnersRequest(wallet, world, kept, { passkeys: [laptop], recovery })
    expect(await refusal(() => enclave.changeOwners(again))).toEqual(unopened('authorisation_invalid'))
  })

  test('from none to some, and the wallet says for good that it was upgraded', async () => {
    const wallet = await newWallet()
    const next = ownersOf([phone])
    const after = await changed(wallet, changeOwnersRequest(wallet, world, next, { passkeys: [phone] }))
    expect([after.since, await signs(after, phone), await signs(after)]).toEqual([
      'upgrade',
      'accepted',
      'authorisation_required',
    ])
    expect(await signs({ ...after, since: 'creation' }, phone)).toBe('sealed_key_invalid')
    const third = ownersOf([phone, laptop], { current: after.owners })
    const later = await changed(after, changeOwnersRequest(after, world, third, { passkeys: [phone, laptop] }))
    expect([later.since, await signs(later, laptop)]).toEqual(['upgrade', 'accepted'])
    expect(await signs({ ...later, since: 'creation' }, laptop)).toBe('sealed_key_invalid')
  })

  type By = Parameters<typeof changeOwnersRequest>[3]
  test.each<[string, string, (current: OwnersRecord) => { next: OwnersRecord; by: By }]>([
    [
      'none of the current owners agrees',
      'authorisation_required',
      (current) => ({ next: ownersOf([thief], { current }), by: { passkeys: [thief] } }),
    ],
    [
      'the new device did not sign',
      'authorisation_required',
      (current) => ({ next: ownersOf([phone, laptop], { current }), by: { passkeys: [phone] } }),
    ],
    [
      'the recovery code is another',
      'authorisation_invalid',
      (current) => ({
        next: ownersOf([laptop], { current }),
        by: { passkeys: [laptop], recovery: createSoftRecovery() },
      }),
    ],
    [
      'a stranger signs',
      'authorisation_invalid',
      (current) => ({ next: ownersOf([laptop], { current }), by: { passkeys: [laptop, thief] } }),
    ],
    [
      'the record skips one',
      'owners_invalid',
      (current) => ({
        next: { ...ownersOf([phone, laptop], { current }), sequence: 2 },
        by: { passkeys: [phone, laptop] },
      }),
    ],
    [
      'the record follows another',
      'owners_invalid',
      () => ({ next: ownersOf([phone, laptop], { current: ownersOf([laptop]) }), by: { passkeys: [phone, laptop] } }),
    ],
    [
      'the record starts again',
      'owners_invalid',
      () => ({ next: ownersOf([phone, laptop]), by: { passkeys: [phone, laptop] } }),
    ],
  ])('not when %s: %s', async (_, code, make) => {
    const wallet = await newWallet({ passkeys: [phone], recovery })
    const { next, by } = make(wallet.owners as OwnersRecord)
    const request = changeOwnersRequest(wallet, world, next, by)
    expect(await refusal(() => enclave.changeOwners(request))).toEqual(unopened(code))
  })

  test('not by an approval of a transaction, for another wallet, too late, or twice with one nonce', async () => {
    const wallet = await newWallet({ passkeys: [phone] })
    const current = wallet.owners as OwnersRecord
    const next = ownersOf([phone, laptop], { current })
    const request = changeOwnersRequest(wallet, world, next, { passkeys: [phone, laptop] })
    const { subject } = wallet
    const subjectOf = ownersIntent(wallet.address, current, next)
    const transaction = transactionIntent(wallet.address, current, 0, ownersHash(next))
    const approvedAs = (intent: typeof subjectOf, validUntil?: number) => ({
      passkeys: [phone.approve(intent, validUntil), laptop.approve(intent, validUntil)],
      recovery: null,
    })
    for (const [code, approval] of [
      ['authorisation_invalid', approvedAs(transaction)],
      ['authorisation_invalid', approvedAs({ ...subjectOf, address: randomHex(20) })],
      ['authorisation_invalid', approvedAs(subjectOf, nowSeconds() + 700)],
      ['authorisation_expired', approvedAs(subjectOf, nowSeconds() - 1)],
    ] as const) {
      const { address, digest } = request.statement
      const statement = world.coordinator.state({ kind: 'change-owners', subject, address, digest, approval })
      expect(await refusal(() => enclave.changeOwners({ ...request, approval, statement }))).toEqual(unopened(code))
    }
    const again = { ...request, approval: approvedAs(subjectOf) } // good, and not the one that the statement names
    expect(await refusal(() => enclave.changeOwners(again))).toEqual(unopened('statement_invalid'))
    await enclave.changeOwners(request)
    expect(await refusal(() => enclave.changeOwners(request))).toEqual(unopened('nonce_replayed'))
  })

  test('not for another person’s wallet', async () => {
    const wallet = await newWallet({ passkeys: [phone] })
    const next = ownersOf([phone, laptop], { current: wallet.owners })
    const moved = changeOwnersRequest({ ...wallet, subject: randomHex(32) }, world, next, { passkeys: [phone, laptop] })
    expect(await codeOf(enclave.changeOwners(moved))).toBe('sealed_key_invalid')
  })
})
