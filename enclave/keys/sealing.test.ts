import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import { toHex, type Hex } from '@perigee/core'
import { zero32 } from '@perigee/core/authorisation'
import { sealingVersionOf } from '@perigee/core/enclave'
import { describe, expect, test } from 'vitest'
import { openKey, sealKey, type KeyName, type SealingKeys } from './sealing.js'

const keysOf = (...versions: number[]): SealingKeys => ({
  current: versions[0] as number,
  byVersion: new Map(versions.map((version) => [version, createSecretKey(randomBytes(32))])),
})
const sealingKeys = keysOf(1)
const name: KeyName = {
  keyId: `key_${'ab'.repeat(20)}`,
  address: `0x${'12'.repeat(20)}`,
  subject: `0x${'34'.repeat(32)}`,
  ownersHash: `0x${'56'.repeat(32)}`,
  since: 'creation',
}
const privateKey = randomBytes(32)
const publicKey = toHex(new Uint8Array([2, ...randomBytes(32)]))
const sealed = sealKey(sealingKeys, name, privateKey, publicKey)

describe('a sealed key', () => {
  test('opens under its own name, and is gone once wiped', () => {
    const open = openKey(sealingKeys, name, sealed)
    expect(toHex(open.privateKey)).toBe(toHex(privateKey))
    expect(open.publicKey).toBe(publicKey)
    open.wipe()
    expect(toHex(open.privateKey)).toBe(`0x${'00'.repeat(32)}`)
  })

  test('is different each time it is sealed', () => {
    expect(sealKey(sealingKeys, name, privateKey, publicKey)).not.toBe(sealed)
  })

  test('does not open when any byte of it was changed', () => {
    for (let at = 2; at < sealed.length; at += 2) {
      const byte = (Number.parseInt(sealed.slice(at, at + 2), 16) ^ 1).toString(16).padStart(2, '0')
      const tampered = (sealed.slice(0, at) + byte + sealed.slice(at + 2)) as Hex
      expect(() => openKey(sealingKeys, name, tampered)).toThrow(
        expect.objectContaining({ code: 'sealed_key_invalid' }),
      )
    }
  })

  test.each([
    ['another key id', { ...name, keyId: `key_${'ac'.repeat(20)}` }, sealingKeys, sealed],
    ['another address', { ...name, address: `0x${'13'.repeat(20)}` as Hex }, sealingKeys, sealed],
    ['another person', { ...name, subject: `0x${'35'.repeat(32)}` as Hex }, sealingKeys, sealed],
    ['other owners', { ...name, ownersHash: `0x${'57'.repeat(32)}` as Hex }, sealingKeys, sealed],
    ['no owners', { ...name, ownersHash: zero32 }, sealingKeys, sealed],
    ['another history', { ...name, since: 'upgrade' as const }, sealingKeys, sealed],
    ['no history', { ...name, since: null }, sealingKeys, sealed],
    ['another platform', name, keysOf(1), sealed],
    ['a truncated blob', name, sealingKeys, sealed.slice(0, -2) as Hex],
    ['a longer blob', name, sealingKeys, `${sealed}00` as Hex],
    ['an empty blob', name, sealingKeys, '0x' as Hex],
  ])('does not open under %s', (_, otherName, key, blob) => {
    expect(() => openKey(key, otherName, blob)).toThrow(expect.objectContaining({ code: 'sealed_key_invalid' }))
  })

  test('opens under every version that is configured, and names its own', () => {
    const rotated: SealingKeys = { current: 2, byVersion: new Map([...keysOf(2).byVersion, ...sealingKeys.byVersion]) }
    const renewed = sealKey(rotated, name, privateKey, publicKey)
    expect([sealingVersionOf(sealed), sealingVersionOf(renewed)]).toEqual([1, 2])
    for (const blob of [sealed, renewed]) expect(toHex(openKey(rotated, name, blob).privateKey)).toBe(toHex(privateKey))
    // Version 1 is retired, or version 2 has not arrived here yet.
    const retired: SealingKeys = { current: 2, byVersion: new Map([[2, rotated.byVersion.get(2) as KeyObject]]) }
    expect(() => openKey(retired, name, sealed)).toThrow(
      expect.objectContaining({ code: 'sealed_key_invalid', facts: { version: 1, versions: '2' } }),
    )
    expect(() => openKey(sealingKeys, name, renewed)).toThrow(
      expect.objectContaining({ code: 'sealed_key_invalid', facts: { version: 2, versions: '1' } }),
    )
    // A version that was changed in the blob does not open, even if that version exists.
    const renamed = `0x0102${sealed.slice(6)}` as Hex
    expect(() => openKey(rotated, name, renamed)).toThrow(expect.objectContaining({ code: 'sealed_key_invalid' }))
  })
})
