import { fromHex, toHex, transactionDigest, type Hex } from '@perigee/core'
import { transactionIntent, zero32, type OwnersRecord, type PasskeyApproval } from '@perigee/core/authorisation'
import type { SignTransactionRequest } from '@perigee/core/enclave'
import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import {
  createSoftPasskey,
  createSoftRecovery,
  type AssertionChanges,
} from '../../core/authorisation/testing/createSoftPasskey.js'
import { ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { alterations } from '../testing/alterations.js'
import { codeOf, createEnclave } from '../testing/createEnclave.js'
import { createTestWorld, newTransaction, nowSeconds, randomHex, type TestWorld } from '../testing/createTestWorld.js'
import { createKeyRequest, signRequest, walletOf, type TestWallet } from '../testing/requests.js'

const page = { rpId: 'example.com', origin: 'https://app.example.com' }
const [passkey, foreign] = [createSoftPasskey(page), createSoftPasskey(page)]
let world: TestWorld
let enclave: ReturnType<typeof createEnclave>
let owned: TestWallet & { owners: OwnersRecord }
let plain: TestWallet

beforeAll(async () => {
  world = await createTestWorld()
  enclave = createEnclave(world)
  const make = async (options: Parameters<typeof createKeyRequest>[1]) => {
    const request = createKeyRequest(world, options)
    return walletOf(request, await enclave.createKey(request))
  }
  owned = (await make({ passkeys: [passkey], recovery: createSoftRecovery() })) as typeof owned
  plain = await make({})
})
afterAll(() => world.remove())

/** The code of the refusal, and whether a key was opened. */
async function refusal(request: object, now?: () => number) {
  const asked = now ? createEnclave(world, { now }) : enclave
  const before = asked.uses.sealingKey
  const code = await codeOf(asked.signTransaction(request))
  return { code, opened: asked.uses.sealingKey - before }
}
const unopened = (code: string) => ({ code, opened: 0 })

/** The request with another approval, about which the coordinator truly made a statement. */
function restated(request: SignTransactionRequest, approval: PasskeyApproval | null, changes: object = {}) {
  const { kind, subject, address, digest, chainId } = request.statement
  const statement = world.coordinator.state({ kind, subject, address, digest, chainId, approval, ...changes })
  return { ...request, approval, statement }
}

describe('a wallet without owners', () => {
  test('signs on a statement alone, again after a lost answer, with the same signature', async () => {
    const request = signRequest(plain, world)
    const first = await enclave.signTransaction(request)
    const retry = await enclave.signTransaction({ ...request, nonce: randomHex(32) })
    expect(retry.signature).toBe(first.signature)
  })

  test('takes no approval, which nobody would check', async () => {
    const request = signRequest(plain, world)
    const approval = passkey.approve(transactionIntent(plain.address, owned.owners, 31337, request.digest))
    expect(await refusal(restated(request, approval))).toEqual(unopened('authorisation_invalid'))
  })

  test('of another person does not open, though the statement is genuine', async () => {
    const request = signRequest({ ...plain, subject: owned.subject }, world)
    expect((await refusal(request)).code).toBe('sealed_key_invalid')
  })
})

describe('a statement with another', () => {
  const kinds = { 'statement.kind': 'create-key' }
  const fields = ['kind', 'subject', 'address', 'digest', 'chainId', 'issuedAt', 'expiresAt', 'authorisationHash', 'signature'] // prettier-ignore

  test.each(fields)('%s is refused', async (field) => {
    const request = signRequest(plain, world)
    const found = alterations(request.statement, 'statement', kinds).filter(([path]) => path === `statement.${field}`)
    expect(found).toHaveLength(1)
    for (const [, statement] of found) expect(await refusal({ ...request, statement })).toEqual(unopened('statement_invalid')) // prettier-ignore
  })

  test.each<[string, (r: SignTransactionRequest) => object]>([
    ['wallet', () => ({ address: randomHex(20) })],
    ['chain', () => ({ chainId: 11155111 })],
    ['digest', () => ({ digest: randomHex(32) })],
    ['kind', () => ({ kind: 'change-owners' })],
    ['authorisation', () => ({ authorisationHash: randomHex(32) })],
  ])('%s, truly signed by the coordinator, is refused', async (_, changes) => {
    const request = signRequest(plain, world)
    expect(await refusal(restated(request, null, changes(request)))).toEqual(unopened('statement_invalid'))
  })

  test.each<[string, string, (now: number) => object]>([
    ['that has expired', 'statement_expired', (now) => ({ issuedAt: now - 400, expiresAt: now - 100 })],
    ['of the future', 'statement_invalid', (now) => ({ issuedAt: now + 120, expiresAt: now + 300 })],
    ['that lives too long', 'statement_invalid', (now) => ({ issuedAt: now, expiresAt: now + 601 })],
    ['that never lives', 'statement_invalid', (now) => ({ issuedAt: now, expiresAt: now })],
  ])('time, %s, is refused: %s', async (_, code, changes) => {
    const request = signRequest(plain, world)
    expect(await refusal(restated(request, null, changes(nowSeconds())))).toEqual(unopened(code))
  })
})

describe('a wallet with owners', () => {
  test('signs with the approval of one of them, again after a lost answer, with the same signature', async () => {
    const request = signRequest(owned, world, { passkey })
    const first = await enclave.signTransaction(request)
    const retry = await enclave.signTransaction({ ...request, nonce: randomHex(32) })
    expect(retry.signature).toBe(first.signature)
    expect(await refusal(request)).toEqual(unopened('nonce_replayed'))
  })

  test('signs nothing without', async () => {
    expect(await refusal(signRequest(owned, world))).toEqual(unopened('authorisation_required'))
  })

  test('does not open as if it had none, or others', async () => {
    const none = signRequest({ ...owned, owners: null, since: null }, world)
    expect((await refusal(none)).code).toBe('sealed_key_invalid')
    const thief = signRequest({ ...owned, owners: ownersOf([foreign]) }, world, { passkey: foreign })
    expect((await refusal(thief)).code).toBe('sealed_key_invalid')
    const upgraded = signRequest({ ...owned, since: 'upgrade' }, world, { passkey })
    expect((await refusal(upgraded)).code).toBe('sealed_key_invalid')
  })

  test('refuses an approval with any member altered, whether or not the coordinator states it', async () => {
    const request = signRequest(owned, world, { passkey })
    const altered = alterations(request.approval as PasskeyApproval, 'approval')
    expect(altered.map(([path]) => path.split('.')[1]).sort()).toEqual(
      ['authenticatorData', 'clientDataJSON', 'credential', 'salt', 'signature', 'validUntil'], // prettier-ignore
    )
    for (const [path, approval] of altered) {
      expect([path, await refusal({ ...request, approval })]).toEqual([path, unopened('statement_invalid')])
      expect([path, await refusal(restated(request, approval))]).toEqual([path, unopened('authorisation_invalid')])
    }
  })

  test('refuses a record with any member altered', async () => {
    const { owners } = owned
    const other = ownersOf([foreign], { recovery: createSoftRecovery() })
    const replacements = {
      'owners.recovery.publicKey': other.recovery?.publicKey,
      'owners.credentials.0.publicKey': foreign.publicKey,
      'owners.credentials.0.rpId': 'app.example.com',
      'owners.credentials.0.origins.0': 'https://b.example.com',
    }
    const malformed = ['version', 'threshold', 'recovery.kind', 'credentials.0.algorithm'].map(
      (name) => `owners.${name}`,
    )
    const altered = alterations(owners, 'owners', replacements)
    expect(altered).toHaveLength(10)
    for (const [path, record] of altered) {
      const request = { ...signRequest(owned, world, { passkey }), owners: record }
      const code = malformed.includes(path) ? 'invalid_request' : 'authorisation_invalid'
      expect([path, await refusal(request)]).toEqual([path, unopened(code)])
    }
  })

  const intent = (request: SignTransactionRequest) =>
    transactionIntent(request.address, owned.owners, request.transaction.chainId, request.digest)
  test.each<[string, (r: SignTransactionRequest) => PasskeyApproval]>([
    ['another wallet', (r) => passkey.approve({ ...intent(r), address: randomHex(20) })],
    ['another chain', (r) => passkey.approve({ ...intent(r), chainId: 1 })],
    ['another digest', (r) => passkey.approve({ ...intent(r), digest: transactionDigest(newTransaction()) })],
    ['other owners', (r) => passkey.approve({ ...intent(r), ownersHash: zero32 })],
    ['another kind of intent', (r) => passkey.approve({ ...intent(r), kind: 'owners' })],
    ['too long a time', (r) => passkey.approve(intent(r), nowSeconds() + 700)],
    ['a foreign credential', (r) => foreign.approve(intent(r))],
    [
      'a foreign credential under the owner’s name',
      (r) => ({ ...foreign.approve(intent(r)), credential: passkey.publicKey }),
    ],
  ])('refuses an approval of %s', async (_, approve) => {
    const request = signRequest(owned, world)
    expect(await refusal(restated(request, approve(request)))).toEqual(unopened('authorisation_invalid'))
  })

  const clientData = (changes: Record<string, unknown>): AssertionChanges => ({ clientData: changes })
  test.each<[string, AssertionChanges]>([
    ['on another page', clientData({ origin: 'https://evil.example.com' })],
    ['on a page of another scheme', clientData({ origin: 'http://app.example.com' })],
    ['inside another page', clientData({ crossOrigin: true })],
    ['under another page', clientData({ topOrigin: 'https://evil.example' })],
    ['of another type', clientData({ type: 'webauthn.create' })],
    ['over a padded challenge', clientData({ challenge: `${'A'.repeat(43)}=` })],
    ['for another RP', { rpId: 'app.example.com' }],
    ['without the user being present', { flags: 0x1c }],
    ['without the user being verified', { flags: 0x19 }],
    ['with attested data', { flags: 0x5d }],
    ['with extensions', { flags: 0x9d }],
    ['backed up, though not eligible', { flags: 0x15 }],
  ])('refuses an assertion made %s', async (_, changes) => {
    const request = signRequest(owned, world)
    const approval = passkey.approve(intent(request), nowSeconds() + 300, changes)
    expect(await refusal(restated(request, approval))).toEqual(unopened('authorisation_invalid'))
  })

  test('refuses clientDataJSON that names a member twice, and authenticatorData with more bytes', async () => {
    const request = signRequest(owned, world, { passkey })
    const approval = request.approval as PasskeyApproval
    const twice = { ...approval, clientDataJSON: approval.clientDataJSON.replace('{', '{"type":"webauthn.get",') }
    expect(await refusal(restated(request, twice))).toEqual(unopened('authorisation_invalid'))
    const longer = {
      ...approval,
      authenticatorData: toHex(Uint8Array.of(...fromHex(approval.authenticatorData), 0)) as Hex,
    }
    expect(await refusal(restated(request, longer))).toEqual(unopened('invalid_request'))
  })

  test('refuses an approval that has expired, by the enclave’s own clock', async () => {
    const request = signRequest(owned, world)
    const old = restated(request, passkey.approve(intent(request), nowSeconds() - 1))
    expect(await refusal(old)).toEqual(unopened('authorisation_expired'))
    const good = restated(request, passkey.approve(intent(request), nowSeconds() + 100))
    expect(await refusal(good, () => nowSeconds() + 200)).toEqual(unopened('authorisation_expired'))
  })
})
