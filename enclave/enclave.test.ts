import { secp256k1 } from '@noble/curves/secp256k1'
import { fromHex, transactionDigest, verifySigner, type Hex, type TxMetadata } from '@perigee/core'
import type { SignTransactionRequest } from '@perigee/core/enclave'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEnclaveServer } from './server.js'
import { codeOf, createEnclave } from './testing/createEnclave.js'
import {
  createSatellite,
  createTestWorld,
  newTransaction,
  nowSeconds,
  randomHex,
  type TestWorld,
} from './testing/createTestWorld.js'
import { createKeyRequest, signRequest, walletOf, type TestWallet } from './testing/requests.js'
import { serveEnclave } from '../clients/enclave/testing/serveEnclave.js'
import { listen } from '../tests/rigs/servers/listen.js'

let world: TestWorld
let enclave: Awaited<ReturnType<typeof serveEnclave>>
let key: TestWallet & { publicKey: Hex }

beforeAll(async () => {
  world = await createTestWorld()
  enclave = await serveEnclave(world)
  const request = createKeyRequest(world)
  const answer = await enclave.client.createKey(request)
  key = { ...walletOf(request, answer), publicKey: answer.publicKey }
})
afterAll(async () => {
  await enclave.close()
  world.remove()
})

test('a connection that the system cannot accept is logged, and ends nothing', async () => {
  const lines: unknown[] = []
  const log = (line: unknown) => void lines.push(line)
  const server = createEnclaveServer({ ...createEnclave(world).config, operations: {}, log })
  const { close } = await listen(server)
  // Without a listener it throws what it was given.
  expect(server.emit('error', Object.assign(new Error('accept'), { code: 'ENFILE' }))).toBe(true)
  expect(lines).toEqual([{ operation: 'accept', code: 'ENFILE' }])
  await close()
})

const again = (request: SignTransactionRequest): SignTransactionRequest => ({ ...request, nonce: randomHex(32) })

describe('signing', () => {
  test('gives a low-s signature that recovers to the key’s address', async () => {
    const request = signRequest(key, world)
    const { signature, publicKey } = await enclave.client.signTransaction(request)
    expect(publicKey).toBe(key.publicKey)
    await verifySigner(request.transaction, signature, key.address) // refuses high s and v other than 27, 28
    const compact = fromHex(signature).subarray(0, 64)
    expect(secp256k1.verify(compact, fromHex(request.digest), fromHex(publicKey), { lowS: true })).toBe(true)
  })

  test('gives the same bytes for the same transaction, whatever the nonce and the sample', async () => {
    const transaction = newTransaction()
    const first = await enclave.client.signTransaction(signRequest(key, world, { transaction }))
    const second = await enclave.client.signTransaction(signRequest(key, world, { transaction }))
    expect(second.signature).toBe(first.signature)
    expect(second.quote).not.toBe(first.quote)
  })

  test('repeats an attempt whose answer was lost: same sample, new nonce', async () => {
    const request = signRequest(key, world)
    const first = await enclave.client.signTransaction(request)
    const retried = await enclave.client.signTransaction(again(request))
    expect(retried.signature).toBe(first.signature)
  })
})

describe('creating keys', () => {
  test('makes another key for every sample', async () => {
    const other = await enclave.client.createKey(createKeyRequest(world))
    expect(other.address).not.toBe(key.address)
  })

  test('makes one key for one sample, however often it is asked', async () => {
    const request = createKeyRequest(world)
    const first = await enclave.client.createKey(request)
    const second = await enclave.client.createKey({ ...request, nonce: randomHex(32) })
    expect(second).toMatchObject({ keyId: first.keyId, sealedKey: first.sealedKey })
    expect(second.quote).not.toBe(first.quote)
  })

  test('does not use one sample for a key and a signature', async () => {
    const request = createKeyRequest(world)
    await enclave.client.createKey(request)
    const sign = { ...signRequest(key, world), entropy: request.entropy }
    expect(await codeOf(enclave.client.signTransaction(sign))).toBe('entropy_reused')
  })
})

describe('refuses, before any key is opened,', () => {
  const transactionWith = (changes: Partial<TxMetadata>) => (request: SignTransactionRequest) => {
    const transaction = { ...request.transaction, ...changes }
    return { ...request, transaction, digest: transactionDigest(transaction) }
  }
  const typed = (extra: object) => (request: SignTransactionRequest) => ({
    ...request,
    transaction: { ...request.transaction, ...extra } as unknown as TxMetadata,
  })
  const sampleWith = (changes: object) => (request: SignTransactionRequest) => ({
    ...request,
    entropy: { ...request.entropy, ...changes } as SignTransactionRequest['entropy'],
  })
  type Change = (request: SignTransactionRequest) => object
  const cases: [string, string, Change][] = [
    ['a digest of something else', 'digest_mismatch', (r) => ({ ...r, digest: randomHex(32) })],
    [
      'a digest of another transaction',
      'digest_mismatch',
      (r) => ({ ...r, digest: transactionDigest(newTransaction()) }),
    ],
    ['an EIP-7702 transaction', 'transaction_type_unsupported', typed({ type: 'eip7702', authorizationList: [] })],
    ['an authorisation list without a type', 'transaction_type_unsupported', typed({ authorizationList: [] })],
    ['an access list', 'transaction_type_unsupported', typed({ accessList: [] })],
    ['a legacy transaction', 'transaction_type_unsupported', typed({ type: 'legacy', gasPrice: '1' })],
    ['a blob transaction', 'transaction_type_unsupported', typed({ type: 'eip4844' })],
    ['an unknown field', 'transaction_invalid', typed({ memo: 'x' })],
    ['no recipient', 'transaction_invalid', typed({ to: null })],
    ['a negative value', 'transaction_invalid', typed({ value: '-1' })],
    ['a tip above the fee', 'transaction_invalid', typed({ maxPriorityFeePerGas: '3000000000' })],
    ['another chain', 'chain_not_allowed', transactionWith({ chainId: 1 })],
    ['a price of gas out of range', 'fee_out_of_range', transactionWith({ maxFeePerGas: '10000000000001' })],
    ['a whole fee out of range', 'fee_out_of_range', transactionWith({ gas: '600000000' })],
    ['a value out of range', 'value_out_of_range', transactionWith({ value: `1${'0'.repeat(22)}1` })],
    ['a stale sample', 'entropy_stale', (r) => ({ ...r, entropy: world.satellite.sample(nowSeconds() - 700) })],
    [
      'a sample from the future',
      'entropy_invalid',
      (r) => ({ ...r, entropy: world.satellite.sample(nowSeconds() + 90) }),
    ],
    ['a sample of an unknown signer', 'entropy_invalid', (r) => ({ ...r, entropy: createSatellite().sample() })],
    ['a sample with another value', 'entropy_invalid', sampleWith({ value: `0x${'5a'.repeat(31)}00` })],
    [
      'a sample that claims more than it shows',
      'entropy_untrusted',
      sampleWith({ provenance: 'satellite-signature-verified' }),
    ],
    ['no sample', 'invalid_request', ({ entropy: _, ...r }) => r],
    ['a short nonce', 'invalid_request', (r) => ({ ...r, nonce: '0x00' })],
    ['an extra member', 'invalid_request', (r) => ({ ...r, raw: '0x00' })],
    ['a malformed key id', 'invalid_request', (r) => ({ ...r, keyId: '../key' })],
  ]
  test.each(cases)('%s: %s', async (_, code, change) => {
    // The sealed key is garbage: were it opened first, the code would be sealed_key_invalid.
    const request = { ...signRequest(key, world), sealedKey: randomHex(94) }
    expect(await codeOf(enclave.client.signTransaction(change(request) as SignTransactionRequest))).toBe(code)
  })

  test('a nonce that was used before', async () => {
    const request = signRequest(key, world)
    await enclave.client.signTransaction(request)
    const replay = { ...request, sealedKey: randomHex(94) }
    expect(await codeOf(enclave.client.signTransaction(replay))).toBe('nonce_replayed')
    const create = createKeyRequest(world)
    expect(await codeOf(enclave.client.createKey({ ...create, nonce: request.nonce }))).toBe('nonce_replayed')
  })

  test('a sample that served another transaction or another key', async () => {
    const request = signRequest(key, world)
    await enclave.client.signTransaction(request)
    const other = { ...signRequest(key, world), entropy: request.entropy, sealedKey: randomHex(94) }
    expect(await codeOf(enclave.client.signTransaction(other))).toBe('entropy_reused')
    const otherKey = { ...again(request), keyId: `key_${'0'.repeat(40)}`, sealedKey: randomHex(94) }
    expect(await codeOf(enclave.client.signTransaction(otherKey))).toBe('entropy_reused')
  })

  test('a sample below the configured level', async () => {
    const strict = await serveEnclave(world, { ENTROPY_MINIMUM: 'beacon-verified' })
    expect(await codeOf(strict.client.signTransaction(signRequest(key, world)))).toBe('entropy_untrusted')
    await strict.close()
  })
})

describe('sealed keys', () => {
  test.each<[string, () => Partial<TestWallet>]>([
    ['unknown', () => ({ sealedKey: randomHex(94) })],
    ['tampered', () => ({ sealedKey: `0x${key.sealedKey.slice(2, -2)}${key.sealedKey.endsWith('00') ? '01' : '00'}` })],
    ['under another address', () => ({ address: randomHex(20) })],
    ['under another name', () => ({ keyId: `key_${'1'.repeat(40)}` })],
    ['under another person', () => ({ subject: randomHex(32) })],
    ['as if it had come by owners', () => ({ since: 'upgrade' })],
  ])('%s: sealed_key_invalid', async (_, changes) => {
    const request = signRequest({ ...key, ...changes() }, world)
    expect(await codeOf(enclave.client.signTransaction(request))).toBe('sealed_key_invalid')
  })

  test('open in every enclave of the platform, and not on another platform', async () => {
    const sibling = await serveEnclave(world)
    const request = signRequest(key, world)
    const [mine, theirs] = [
      await enclave.client.signTransaction(request),
      await sibling.client.signTransaction(request),
    ]
    expect(theirs.signature).toBe(mine.signature)
    await sibling.close()
    const strangers = await createTestWorld()
    const stranger = await serveEnclave(strangers)
    expect(await codeOf(stranger.client.signTransaction(signRequest(key, strangers)))).toBe('sealed_key_invalid')
    await stranger.close()
    strangers.remove()
  })
})
