import { createHash } from 'node:crypto'
import { fromHex, toHex, type Hex } from '@perigee/core'
import { sealingVersionOf } from '@perigee/core/enclave'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { codeOf, createEnclave } from '../testing/createEnclave.js'
import { createTestWorld, newTransaction, randomHex, type TestWorld } from '../testing/createTestWorld.js'
import { createKeyRequest, resealKeyRequest, signRequest, walletOf, type TestWallet } from '../testing/requests.js'

const phone = createSoftPasskey()
let world: TestWorld
/** Before the rotation, during it, and after version 1 was retired. */
let before: ReturnType<typeof createEnclave>
let during: ReturnType<typeof createEnclave>
let after: ReturnType<typeof createEnclave>
beforeAll(async () => {
  world = await createTestWorld()
  const withVersions = (versions: string) => createEnclave(world, { env: { ENCLAVE_SEALING_VERSIONS: versions } })
  before = withVersions('1')
  during = withVersions('2,1')
  after = withVersions('2')
})
afterAll(() => world.remove())

const oldWallet = async (options: Parameters<typeof createKeyRequest>[1] = {}): Promise<TestWallet> => {
  const request = createKeyRequest(world, options)
  return walletOf(request, await before.createKey(request))
}

describe('a resealed key', () => {
  test('is the same key for the same owners under the new version, and signs the same', async () => {
    const wallet = await oldWallet({ passkeys: [phone] })
    const { sealedKey, sealingVersion } = await during.resealKey(resealKeyRequest(wallet, world))
    const renewed = { ...wallet, sealedKey }
    expect([sealingVersionOf(wallet.sealedKey), sealingVersionOf(sealedKey), sealingVersion]).toEqual([1, 2, 2])
    const transaction = newTransaction()
    const signatures = await Promise.all(
      [before.signTransaction(signRequest(wallet, world, { transaction, passkey: phone }))].concat(
        [wallet, renewed].map((one) =>
          during.signTransaction(signRequest(one, world, { transaction, passkey: phone })),
        ),
        after.signTransaction(signRequest(renewed, world, { transaction, passkey: phone })),
      ),
    )
    expect(new Set(signatures.map(({ signature }) => signature)).size).toBe(1)
    // Who must agree has not changed.
    expect(await codeOf(after.signTransaction(signRequest(renewed, world)))).toBe('authorisation_required')
    expect(await codeOf(after.signTransaction(signRequest({ ...renewed, since: 'upgrade' }, world, { passkey: phone })))).toBe('sealed_key_invalid') // prettier-ignore
  })

  test('may be resealed any number of times: a lost answer changes nothing', async () => {
    const wallet = await oldWallet()
    const first = await during.resealKey(resealKeyRequest(wallet, world))
    const second = await during.resealKey(resealKeyRequest(wallet, world))
    expect(first.sealedKey).not.toBe(second.sealedKey)
    for (const { sealedKey } of [first, second]) {
      expect(await codeOf(after.signTransaction(signRequest({ ...wallet, sealedKey }, world)))).toBe('accepted')
    }
  })

  test('opens nowhere once its version is retired, with a message that says so', async () => {
    const wallet = await oldWallet()
    const refusal = await after.signTransaction(signRequest(wallet, world)).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'sealed_key_invalid', facts: { version: 1, versions: '2' } })
    expect(String(refusal)).toContain('retired')
    expect(await codeOf(after.resealKey(resealKeyRequest(wallet, world)))).toBe('sealed_key_invalid')
    // Nor in an enclave that does not have the new version yet.
    const { sealedKey } = await during.resealKey(resealKeyRequest(wallet, world))
    expect(await codeOf(before.signTransaction(signRequest({ ...wallet, sealedKey }, world)))).toBe(
      'sealed_key_invalid',
    )
  })

  test.each<[string, string, (wallet: TestWallet, world: TestWorld) => ReturnType<typeof resealKeyRequest>]>([
    [
      'for somebody else',
      'sealed_key_invalid',
      (wallet) => resealKeyRequest({ ...wallet, subject: randomHex(32) }, world),
    ],
    [
      'by a statement about another sealed key',
      'statement_invalid',
      (wallet) => ({ ...resealKeyRequest({ ...wallet, sealedKey: `${wallet.sealedKey.slice(0, -2)}00` as Hex }, world), sealedKey: wallet.sealedKey }), // prettier-ignore
    ],
    [
      'by a statement of another kind',
      'statement_invalid',
      (wallet, { coordinator }) => ({
        ...resealKeyRequest(wallet, world),
        statement: coordinator.state({
          kind: 'change-owners',
          subject: wallet.subject,
          address: wallet.address,
          digest: toHex(createHash('sha256').update(fromHex(wallet.sealedKey)).digest()),
        }),
      }),
    ],
    [
      'for other owners',
      'sealed_key_invalid',
      (wallet) => ({ ...resealKeyRequest(wallet, world), owners: null, since: null }),
    ],
  ])('not %s: %s', async (_, code, make) => {
    const wallet = await oldWallet({ passkeys: [phone] })
    expect(await codeOf(during.resealKey(make(wallet, world)))).toBe(code)
  })

  test('not twice with one nonce', async () => {
    const request = resealKeyRequest(await oldWallet(), world)
    expect(await codeOf(during.resealKey(request))).toBe('accepted')
    expect(await codeOf(during.resealKey(request))).toBe('nonce_replayed')
  })
})

test.each(['', '0', '256', '1,1', 'one', '1.5'])('ENCLAVE_SEALING_VERSIONS=%s is refused', (versions) => {
  expect(() => createEnclave(world, { env: { ENCLAVE_SEALING_VERSIONS: versions || ',' } })).toThrow(
    'ENCLAVE_SEALING_VERSIONS',
  )
})
