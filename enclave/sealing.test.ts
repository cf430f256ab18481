import { createSecretKey, randomBytes } from 'node:crypto'
import { toHex, type Hex } from '@perigee/core'
import { zero32 } from '@perigee/core/authorisation'
import { describe, expect, test } from 'vitest'
import { openKey, sealKey, type KeyName } from './sealing.js'

const sealingKey = createSecretKey(randomBytes(32))
const name: KeyName = {
  keyId: `key_${'ab'.repeat(20)}`,
  address: `0x${'12'.repeat(20)}`,
  subject: `0x${'34'.repeat(32)}`,
  ownersHash: `0x${'56'.repeat(32)}`,
  since: 'creation',
}
const privateKey = randomBytes(32)
const publicKey = toHex(new Uint8Array([2, ...randomBytes(32)]))
const sealed = sealKey(sealingKey, name, privateKey, publicKey)

describe('a sealed key', () => {
  test('opens under its own name, and is gone once wiped', () => {
    const open = openKey(sealingKey, name, sealed)
    expect(toHex(open.privateKey)).toBe(toHex(privateKey))
    expect(open.publicKey).toBe(publicKey)
    open.wipe()
    expect(toHex(open.privateKey)).toBe(`0x${'00'.repeat(32)}`)
  })

  test('is different each time it is sealed', () => {
    expect(sealKey(sealingKey, name, privateKey, publicKey)).not.toBe(sealed)
  })

  test('does not open when any byte of it was changed', () => {
    for (let at = 2; at < sealed.length; at += 2) {
      const byte = (Number.parseInt(sealed.slice(at, at + 2), 16) ^ 1).toString(16).padStart(2, '0')
      const tampered = (sealed.slice(0, at) + byte + sealed.slice(at + 2)) as Hex
      expect(() => openKey(sealingKey, name, tampered)).toThrow(expect.objectContaining({ code: 'sealed_key_invalid' }))
    }
  })

  test.each([
    ['another key id', { ...name, keyId: `key_${'ac'.repeat(20)}` }, sealingKey, sealed],
    ['another address', { ...name, address: `0x${'13'.repeat(20)}` as Hex }, sealingKey, sealed],
    ['another person', { ...name, subject: `0x${'35'.repeat(32)}` as Hex }, sealingKey, sealed],
    ['other owners', { ...name, ownersHash: `0x${'57'.repeat(32)}` as Hex }, sealingKey, sealed],
    ['no owners', { ...name, ownersHash: zero32 }, sealingKey, sealed],
    ['another history', { ...name, since: 'upgrade' as const }, sealingKey, sealed],
    ['no history', { ...name, since: null }, sealingKey, sealed],
    ['another platform', name, createSecretKey(randomBytes(32)), sealed],
    ['a truncated blob', name, sealingKey, sealed.slice(0, -2) as Hex],
    ['a longer blob', name, sealingKey, `${sealed}00` as Hex],
    ['an empty blob', name, sealingKey, '0x' as Hex],
  ])('does not open under %s', (_, otherName, key, blob) => {
    expect(() => openKey(key, otherName, blob)).toThrow(expect.objectContaining({ code: 'sealed_key_invalid' }))
  })
})
