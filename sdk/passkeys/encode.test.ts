import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  intentChallenge as coreChallenge,
  ownersHash as coreOwnersHash,
  base64url as coreBase64url,
} from '../../core/authorisation/index.js'
import { encodeIntent as coreEncode } from '../../core/authorisation/intent.js'
import { createP256Key, createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import type { Hex, Intent, OwnersRecord } from '../types.js'
import { base64url, compressSpki, encodeIntent, fromBase64url, hexOf, intentChallenge, ownersHash } from './encode.js'
import { spkiOf } from './testing/createSoftAuthenticators.js'

const hex = (bytes: number) => hexOf(randomBytes(bytes))

test('an intent has the same bytes and the same challenge as in core', async () => {
  for (let i = 0; i < 200; i++) {
    const intent: Intent = {
      kind: i % 2 ? 'transaction' : 'owners',
      address: hex(20),
      ownersHash: hex(32),
      chainId: i % 3 ? Math.floor(Math.random() * 2 ** 40) : 0,
      digest: hex(32),
      validUntil: 1_800_000_000 + i,
      salt: hex(16),
    }
    expect(hexOf(encodeIntent(intent))).toBe(hexOf(coreEncode(intent)))
    expect(hexOf(intentChallenge(intent))).toBe(coreChallenge(intent))
  }
})

test('the worked example of the protocol', async () => {
  const challenge = intentChallenge({
    kind: 'transaction',
    address: `0x${'aa'.repeat(20)}`,
    ownersHash: '0x5550636e00bf5326c6e2657d1023005f41d2770d3654ccbccc24eccc9d4f0ac1',
    chainId: 11155111,
    digest: `0x${'bb'.repeat(32)}`,
    validUntil: 1_800_000_000,
    salt: `0x${'cc'.repeat(16)}`,
  })
  expect(base64url(challenge)).toBe('mg2NEolq6xzM35rPVmeH-qVBj-JEDfsnRQp4k8MZF_w')
})

test('an owners record has the same hash as in core', async () => {
  expect(ownersHash(null)).toBe(coreOwnersHash(null))
  for (let i = 0; i < 50; i++) {
    const record: OwnersRecord = {
      version: 1,
      sequence: i,
      previous: i ? hex(32) : null,
      threshold: 1,
      recovery: i % 2 ? { kind: 'code', publicKey: createP256Key().publicKey } : null,
      credentials: Array.from(
        { length: 1 + (i % 8) },
        (_, n) => createSoftPasskey({ origin: `https://"é\\${n}.test` }).credential,
      ),
    }
    expect(ownersHash(record)).toBe(coreOwnersHash(record))
  }
})

test('base64url is core’s, and comes back', () => {
  for (let length = 0; length < 70; length++) {
    const bytes = Uint8Array.from(randomBytes(length))
    expect(base64url(bytes)).toBe(coreBase64url(bytes))
    expect(fromBase64url(base64url(bytes))).toEqual(bytes)
  }
})

test('a browser’s key is compressed as owners records have it, and any other key is refused', () => {
  for (let i = 0; i < 50; i++) {
    const { publicKey } = createP256Key()
    expect(compressSpki(spkiOf(publicKey))).toBe(publicKey)
  }
  const spki = new Uint8Array(spkiOf(createP256Key().publicKey as Hex))
  expect(compressSpki(spki.slice(0, 90).buffer)).toBeNull()
  spki[20] = (spki[20] ?? 0) ^ 1
  expect(compressSpki(spki.buffer)).toBeNull()
})
