import { expect, test } from 'vitest'
import { encodeBinding, encodeCreateKeyBinding, encodeSignBinding, reportData } from './index.js'

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
  const all = [binding, ...changes.map((change) => ({ ...binding, ...change }))].map((b) =>
    reportData(encodeSignBinding(b)),
  )
  expect(new Set(all).size).toBe(all.length)
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
