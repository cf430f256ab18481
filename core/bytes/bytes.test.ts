import { expect, test } from 'vitest'
import { canonicalJson, cidOf, concatBytes, equalBytes, fromHex, toHex, verifyCid } from './index.js'

test('hex goes there and back', () => {
  const bytes = Uint8Array.of(0, 1, 0xab, 0xff)
  expect(toHex(bytes)).toBe('0x0001abff')
  expect(fromHex('0x0001ABff')).toEqual(bytes)
})

test.each(['', '0', '0x0', '0xzz', 'abcd', '0x00 ', 5, null, undefined, {}])('refuses %j as hex', (input) => {
  expect(() => fromHex(input)).toThrow(expect.objectContaining({ code: 'parse_failed' }))
})

test('refuses hex of another length', () => {
  expect(() => fromHex('0x00', 2)).toThrow(expect.objectContaining({ code: 'parse_failed' }))
})

test('joins and compares bytes', () => {
  const joined = concatBytes(Uint8Array.of(1), new Uint8Array(), Uint8Array.of(2, 3))
  expect(equalBytes(joined, Uint8Array.of(1, 2, 3))).toBe(true)
  expect(equalBytes(joined, Uint8Array.of(1, 2, 4))).toBe(false)
  expect(equalBytes(joined, Uint8Array.of(1, 2))).toBe(false)
})

// RFC 8785 section 3.2.3: members sort by UTF-16 code units, so the emoji (a surrogate pair) comes before U+FB33.
test('orders members as RFC 8785 does', () => {
  const input = {
    '\u20ac': 'Euro',
    '\r': 'CR',
    '\ufb33': 'Dalet',
    '1': 'One',
    '\ud83d\ude00': 'Grin',
    '\u0080': 'Ctl',
    '\u00f6': 'o',
  }
  expect(Object.values(JSON.parse(canonicalJson(input)) as object)).toHaveLength(7)
  expect(canonicalJson(input)).toBe(
    '{"\\r":"CR","1":"One","\u0080":"Ctl","\u00f6":"o","\u20ac":"Euro","\ud83d\ude00":"Grin","\ufb33":"Dalet"}',
  )
})

test('does not depend on the order in which an object was built', () => {
  expect(canonicalJson({ b: [1, true, null], a: { d: 'x', c: -5 } })).toBe('{"a":{"c":-5,"d":"x"},"b":[1,true,null]}')
})

test.each([
  [1.5],
  [Number.NaN],
  [Infinity],
  [-0],
  [2 ** 53],
  [undefined],
  [1n],
  [new Date(0)],
  ['\ud800'],
  [() => 1],
  [new Map()],
])('refuses %s in canonical JSON', (value) => {
  expect(() => canonicalJson({ value })).toThrow(expect.objectContaining({ code: 'parse_failed' }))
})

test('refuses endless nesting with a code', () => {
  let deep: unknown = 1
  for (let i = 0; i < 10_000; i++) deep = [deep]
  expect(() => canonicalJson(deep)).toThrow(expect.objectContaining({ code: 'parse_failed' }))
})

// The CID of the empty raw block is widely published.
test('names bytes as IPFS does', () => {
  expect(cidOf(new Uint8Array())).toBe('bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku')
})

test('accepts the right bytes for a CID and refuses others', () => {
  const bytes = new TextEncoder().encode('perigee')
  expect(() => verifyCid(cidOf(bytes), bytes)).not.toThrow()
  expect(() => verifyCid(cidOf(bytes), bytes.slice(1))).toThrow(expect.objectContaining({ code: 'cid_mismatch' }))
})

test.each([
  '',
  'bafk',
  'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG',
  'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
])('refuses %s, which does not name plain bytes', (cid) => {
  expect(() => verifyCid(cid, new Uint8Array())).toThrow(expect.objectContaining({ code: 'cid_mismatch' }))
})
