import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519'
import { p256 } from '@noble/curves/p256'
import { toHex, type UnixSeconds } from '@perigee/core'
import { isSignedBy, spkiOf, type EntropyKey } from '@perigee/core/entropy'
import { sha256 } from '@noble/hashes/sha2'
import { expect, test } from 'vitest'
import { codeOf } from '../testing/createEnclave.js'
import { createAdmission, isSignedNatively } from './admission.js'

const base = { source: 's', signedBytes: 'value', shows: 'simulated', validFrom: 0, validTo: null } as const
const curves = {
  ed25519: { key: ed25519.getPublicKey, sign: (m: Uint8Array, k: Uint8Array) => ed25519.sign(m, k) },
  'ecdsa-p256-sha256': {
    key: (k: Uint8Array) => p256.getPublicKey(k, false),
    sign: (m: Uint8Array, k: Uint8Array) => p256.sign(sha256(m), k, { lowS: false }).toCompactRawBytes(),
  },
}

test.each(['ed25519', 'ecdsa-p256-sha256'] as const)('agrees with the portable check on %s', (algorithm) => {
  for (let round = 0; round < 8; round++) {
    const privateKey = randomBytes(32)
    const message = randomBytes(48)
    const raw = curves[algorithm].key(privateKey)
    const publicKey = toHex(round % 2 ? raw : spkiOf(algorithm, raw))
    const key: EntropyKey = { ...base, algorithm, publicKey }
    const signature = curves[algorithm].sign(message, privateKey)
    const flipped = Uint8Array.from(signature, (byte, i) => (i === round * 8 ? byte ^ 1 : byte))
    const cases = [signature, flipped, signature.subarray(1), new Uint8Array(64), new Uint8Array(64).fill(255)]
    const verdicts = cases.map((each) => isSignedNatively(key, message, each))
    expect(verdicts).toEqual([true, false, false, false, false])
    expect(cases.map((each) => isSignedBy(key, message, each))).toEqual(verdicts)
    expect(isSignedNatively(key, randomBytes(48), signature)).toBe(false)
  }
})

const start: UnixSeconds = 1_800_000_000
const random = () => toHex(randomBytes(32))
const admissionOf = (freshnessSeconds: number, capacity = 10) =>
  createAdmission({
    trust: { minimum: 'operator-asserted', freshnessSeconds, keys: {}, assertedSources: ['s'] },
    capacity,
  })
const sampleAt = (receivedAt: UnixSeconds, value = random()) => {
  const evidence = { producedAt: null, sequence: null, signature: null, beacon: null }
  return { version: 1, source: 's', provenance: 'operator-asserted', value, receivedAt, ...evidence }
}

test('a nonce is remembered for as long as a statement may count that came with it, and no longer', async () => {
  const admission = admissionOf(60)
  const nonce = random()
  const use = (now: UnixSeconds) => codeOf(Promise.resolve().then(() => admission.admitNonce(nonce, now)))
  expect(await use(start)).toBe('accepted')
  // Issued in a minute by the coordinator's clock, and good for ten.
  expect([await use(start), await use(start + 660), await use(start + 661)]).toEqual([
    'nonce_replayed',
    'nonce_replayed',
    'accepted',
  ])
})

test('a sample serves one purpose, in whatever form it comes again, for as long as it may be fresh', async () => {
  const admission = admissionOf(1000)
  const sample = sampleAt(start + 30) // by a clock that is ahead of ours
  const use = (purpose: string, now = start, nonce = random(), form = sample) =>
    codeOf(admission.admit(form, nonce, purpose, now))
  const nonce = random()
  expect(await use('sign a', start, nonce)).toBe('accepted')
  expect(await use('sign a', start, nonce)).toBe('nonce_replayed')
  expect(await use('sign a')).toBe('accepted')
  expect(await use('sign b')).toBe('entropy_reused')
  expect(await use('sign b', start, random(), sampleAt(start, sample.value))).toBe('entropy_reused')
  expect(await use('sign b', start + 1030)).toBe('entropy_reused')
  expect(await use('sign b', start + 1031)).toBe('entropy_stale')
})

test('when its memory is full it refuses new requests and forgets none', async () => {
  const admission = admissionOf(60, 2)
  const use = (nonce: ReturnType<typeof random>, now = start) =>
    codeOf(Promise.resolve().then(() => admission.admitNonce(nonce, now)))
  const [first, second, third] = [random(), random(), random()]
  expect([await use(first), await use(second), await use(third)]).toEqual(['accepted', 'accepted', 'enclave_busy'])
  expect(await use(first)).toBe('nonce_replayed')
  expect(await use(third, start + 661)).toBe('accepted')
})
