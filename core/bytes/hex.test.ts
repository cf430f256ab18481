import { expect, test } from 'vitest'
import { fromHex, toHex, type Hex } from './hex.js'

test('every byte survives, in either case of letters', () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const text = Buffer.from(all).toString('hex')
  expect(toHex(all)).toBe(`0x${text}`)
  expect(fromHex(`0x${text}`)).toEqual(all)
  expect(fromHex(`0x${text.toUpperCase()}` as Hex)).toEqual(all)
})
