import { expect, test } from 'vitest'
import type { Hex } from '@perigee/core'
import { openSignature, sealSignature } from './sealSignature.js'

const signature: Hex = `0x${'5a'.repeat(65)}`
const owner = {
  walletId: '7d3ba3ad-0b9c-4d30-8c1f-5f0a5e0f6f01',
  requestHash: `0x${'11'.repeat(32)}`,
  salt: `0x${'22'.repeat(32)}`,
} as const

test('a sealed signature opens with the salt of its message', () => {
  const sealed = sealSignature(signature, owner)
  expect(openSignature(sealed, owner)).toBe(signature)
  expect(sealed).toHaveLength(2 + 2 * (12 + 65 + 16))
  expect(sealed).not.toContain(signature.slice(2, 20))
  expect(sealed).not.toContain(owner.salt.slice(2, 20))
})

test('two seals of one signature differ', () => {
  expect(sealSignature(signature, owner)).not.toBe(sealSignature(signature, owner))
})

test.each([
  ['another salt', { ...owner, salt: `0x${'23'.repeat(32)}` as Hex }],
  ['another wallet', { ...owner, walletId: '7d3ba3ad-0b9c-4d30-8c1f-5f0a5e0f6f02' }],
  ['another message', { ...owner, requestHash: `0x${'12'.repeat(32)}` as Hex }],
])('it does not open for %s', (_, other) => {
  const sealed = sealSignature(signature, owner)
  expect(() => openSignature(sealed, other)).toThrowError(expect.objectContaining({ code: 'internal_error' }))
})

test('no changed or shortened seal opens', () => {
  const sealed = sealSignature(signature, owner)
  const changed = Array.from({ length: sealed.length - 2 }, (_, i) => {
    const digit = sealed[i + 2] === '0' ? '1' : '0'
    return `${sealed.slice(0, i + 2)}${digit}${sealed.slice(i + 3)}` as Hex
  })
  for (const wrong of [...changed, sealed.slice(0, -2) as Hex, '0x' as Hex]) {
    expect(() => openSignature(wrong, owner)).toThrowError(expect.objectContaining({ code: 'internal_error' }))
  }
})
