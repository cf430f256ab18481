import { describe, expect, test } from 'vitest'
import { canonicalJson, cidOf } from '../../bytes/index.js'
import { buildReceipt, receiptBytes } from '../buildReceipt.js'
import { maxReceiptBytes, parseReceipt } from './parseReceipt.js'
import { sampleReceiptInput } from '../testing/sampleReceiptInput.js'

const encode = (text: string) => new TextEncoder().encode(text)
const sample = buildReceipt(sampleReceiptInput())
const text = canonicalJson(sample)
const codeOf = (bytes: Uint8Array) => {
  try {
    parseReceipt(bytes)
    return 'accepted'
  } catch (error) {
    return (error as { code?: string }).code
  }
}

describe('buildReceipt', () => {
  test('gives the same bytes and CID for the same input, whatever the order or case it came in', () => {
    const input = sampleReceiptInput()
    const reordered = Object.fromEntries(Object.entries(input).reverse()) as unknown as typeof input
    const upper = {
      ...reordered,
      signature: input.signature.replace(/[a-f]/g, (c) => c.toUpperCase()) as `0x${string}`,
    }
    expect(cidOf(receiptBytes(buildReceipt(upper)))).toBe(cidOf(receiptBytes(sample)))
  })

  test('computes address, digest, hash and report hash itself', () => {
    expect(sample.transaction.from).toBe('0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a')
    expect(sample.signer.address).toBe(sample.transaction.from)
    expect(sample.transaction.digest).toMatch(/^0x[0-9a-f]{64}$/)
    expect(sample.coordinator.reportHash).toMatch(/^0x[0-9a-f]{64}$/)
  })

  test('says simulated unless both roots are the vendors’ own and the entropy is real', () => {
    expect(sample.simulated).toBe(true)
    const input = sampleReceiptInput()
    input.signer.rootFingerprint = '0x44a0196b2b99f889b8e149e95b807a350e7424964399e885a7cbb8ccfab674d3'
    input.coordinator.rootFingerprint = '0x4c6598d19c18719c5dfd4a7d335f674e5bfe1d8f800cea2cf270c10d103db2f1'
    expect(buildReceipt(input).simulated).toBe(true)
    input.entropy = { ...input.entropy, provenance: 'operator-asserted' }
    expect(buildReceipt(input).simulated).toBe(false)
  })

  test('refuses to build what parseReceipt would refuse', () => {
    const input = sampleReceiptInput()
    input.signer.nonce = '0x1234'
    expect(() => buildReceipt(input)).toThrow(expect.objectContaining({ code: 'receipt_invalid' }))
    const noKey = sampleReceiptInput()
    noKey.signer.publicKey = `0x02${'ff'.repeat(32)}`
    expect(() => buildReceipt(noKey)).toThrow(expect.objectContaining({ code: 'public_key_mismatch' }))
  })
})

describe('parseReceipt', () => {
  test('returns what receiptBytes wrote', () => {
    expect(parseReceipt(receiptBytes(sample))).toEqual(sample)
  })

  test.each([
    ['a space', `${text} `, 'receipt_not_canonical'],
    ['other key order', JSON.stringify(Object.fromEntries(Object.entries(sample).reverse())), 'receipt_not_canonical'],
    ['a duplicate key', text.replace('{', '{"version":"perigee-receipt/1",'), 'receipt_not_canonical'],
    ['a needless escape', text.replace('perigee-receipt', '\\u0070erigee-receipt'), 'receipt_not_canonical'],
    ['a fraction', text.replace('"nonce":7', '"nonce":7.5'), 'receipt_not_canonical'],
    ['a number spelled otherwise', text.replace('"nonce":7', '"nonce":7.0'), 'receipt_not_canonical'],
    ['a byte order mark', `\uFEFF${text}`, 'parse_failed'],
    ['half a document', text.slice(0, -1), 'parse_failed'],
    ['nothing', '', 'parse_failed'],
    ['deep nesting', '['.repeat(100_000) + ']'.repeat(100_000), 'receipt_not_canonical'],
    ['an unknown member', canonicalJson({ ...sample, extra: 1 }), 'receipt_invalid'],
    ['another version', canonicalJson({ ...sample, version: 'perigee-receipt/2' }), 'receipt_invalid'],
    ['upper-case hex', text.replace('"data":"0xabcd"', '"data":"0xABCD"'), 'receipt_invalid'],
    ['a script link', canonicalJson({ ...sample, spec: 'javascript:alert(1)' }), 'receipt_invalid'],
    ['null', 'null', 'receipt_invalid'],
    ['an own __proto__ member', text.replace('{', '{"__proto__":{},'), 'receipt_invalid'],
  ])('refuses %s', (_, spoiled, code) => {
    expect(codeOf(encode(spoiled))).toBe(code)
  })

  test('refuses bytes that are not UTF-8, too many bytes, and what is not bytes', () => {
    expect(codeOf(Uint8Array.of(0xff, 0xfe))).toBe('parse_failed')
    expect(codeOf(new Uint8Array(maxReceiptBytes + 1))).toBe('receipt_too_large')
    expect(codeOf('text' as never)).toBe('parse_failed')
  })

  test('refuses a receipt with any one member left out', () => {
    const paths = memberPaths(sample as unknown as Record<string, unknown>)
    expect(paths.length).toBeGreaterThan(50)
    for (const path of paths) {
      const copy = structuredClone(sample) as unknown as Record<string, never>
      const parent = path.slice(0, -1).reduce<Record<string, never>>((node, key) => node[key]!, copy)
      delete parent[path.at(-1)!]
      expect([path.join('.'), codeOf(encode(canonicalJson(copy)))]).toEqual([path.join('.'), 'receipt_invalid'])
    }
  })
})

function memberPaths(value: Record<string, unknown>, prefix: string[] = []): string[][] {
  return Object.entries(value).flatMap(([key, child]) => {
    const path = [...prefix, key]
    const isObject = typeof child === 'object' && child !== null && !Array.isArray(child)
    return isObject ? [path, ...memberPaths(child as Record<string, unknown>, path)] : [path]
  })
}
