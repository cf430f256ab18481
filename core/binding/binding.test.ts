import { expect, test } from 'vitest'
import {
  encodeBinding,
  encodeChangeOwnersBinding,
  encodeCoordinatorBinding,
  encodeCreateKeyBinding,
  encodeResealBinding,
  encodeSignBinding,
  encodeSignMessageBinding,
  reportData,
} from './index.js'

type SignBinding = Parameters<typeof encodeSignBinding>[0]

const hex = (byte: string, length: number) => `0x${byte.repeat(length)}` as const
const binding: SignBinding = {
  chainId: 1,
  keyId: 'key',
  publicKey: hex('02', 33),
  digest: hex('03', 32),
  signature: hex('04', 65),
  nonce: hex('05', 32),
  coordinatorReportHash: hex('06', 32),
  entropyHash: hex('07', 32),
  policyHash: hex('08', 32),
  ownersHash: hex('09', 32),
  authorisationHash: hex('0a', 32),
  signedAt: 1_800_000_000,
}

test('fills the 64 bytes of REPORTDATA', () => {
  expect(reportData(encodeSignBinding(binding))).toMatch(/^0x[0-9a-f]{128}$/)
})

test('starts with the domain and a zero byte, then length-prefixed fields', () => {
  expect(encodeBinding('d', [Uint8Array.of(9), new Uint8Array()])).toEqual(
    Uint8Array.of(100, 0, 0, 0, 0, 1, 9, 0, 0, 0, 0),
  )
})

/** Every field that any binding has. */
const all = {
  ...binding,
  scheme: 'eip712' as const,
  requestHash: hex('0b', 32),
  commitment: hex('0c', 32),
  sealedKeyHash: hex('0d', 32),
  nextSealedKeyHash: hex('0e', 32),
  nextOwnersHash: hex('0f', 32),
  sealingVersion: 2,
  createdAt: 1_800_000_001,
  changedAt: 1_800_000_002,
  resealedAt: 1_800_000_003,
  identity: { service: 'perigee', requestKey: hex('10', 33), publishers: [hex('11', 20)] },
  expiresAt: 1_800_000_004,
}

// The order of the fields is part of the format: enclave, worker and verifier share the encoder, so only these bytes pin it.
test.each([
  ['sign', encodeSignBinding(all), '966cc252978d2c23e6424a578bd2797e'],
  ['sign-message', encodeSignMessageBinding(all), '07a67eb11d7a90b5ea4977cef847e457'],
  ['create-key', encodeCreateKeyBinding(all), 'ae9bcc0f3a5af83604af484acf1e11d3'],
  ['change-owners', encodeChangeOwnersBinding(all), 'f11bd4c3063889999b69ba1875fdc158'],
  ['reseal-key', encodeResealBinding(all), '385c0a76c2974c173cb13926c11b6242'],
  ['coordinator', encodeCoordinatorBinding(all), '3b3ed87cdf1d7a83c497fc20c68ea475'],
])('perigee.%s.v1 has the bytes that it always had', (_domain, encoded, hash) => {
  expect(reportData(encoded).slice(2, 34)).toBe(hash)
})

test('changes with every field', () => {
  const changes: Partial<SignBinding>[] = [
    { chainId: 2 },
    { keyId: 'kez' },
    { publicKey: hex('03', 33) },
    { digest: hex('04', 32) },
    { signature: hex('05', 65) },
    { nonce: hex('06', 32) },
    { coordinatorReportHash: hex('07', 32) },
    { entropyHash: hex('08', 32) },
    { policyHash: hex('09', 32) },
    { ownersHash: hex('0a', 32) },
    { authorisationHash: hex('0b', 32) },
    { signedAt: 1_800_000_001 },
  ]
  expect(changes.map((change) => Object.keys(change)[0]).sort()).toEqual(Object.keys(binding).sort())
  const bindings = [binding, ...changes.map((change) => ({ ...binding, ...change }))].map((b) =>
    reportData(encodeSignBinding(b)),
  )
  expect(new Set(bindings).size).toBe(bindings.length)
})

test('keeps signing and key creation apart', () => {
  const created = encodeCreateKeyBinding({
    keyId: 'key',
    publicKey: hex('02', 33),
    sealedKeyHash: hex('03', 32),
    nonce: hex('05', 32),
    coordinatorReportHash: hex('06', 32),
    entropyHash: hex('07', 32),
    ownersHash: hex('08', 32),
    authorisationHash: hex('09', 32),
    createdAt: 1,
  })
  expect(new TextDecoder().decode(created.slice(0, 22))).toBe('perigee.create-key.v1\0')
})

test.each([{ digest: '0x00' as const }, { signature: hex('00', 64) }, { chainId: -1 }, { signedAt: 1.5 }])(
  'refuses %j with a code',
  (change) => {
    expect(() => encodeSignBinding({ ...binding, ...change })).toThrow(
      expect.objectContaining({ code: 'parse_failed' }),
    )
  },
)
