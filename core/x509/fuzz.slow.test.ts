import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom } from '../../tests/createRandom.js'
import { parseStrictJson } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import { verifySnpReport } from '../snp/index.js'
import { parseQuote, parseQuoteCollateral, verifyQuote, type QuoteCollateral } from '../tdx/index.js'
import { mutate } from '../tdx/testing/mutate.js'
import { caseTime, createTdxCases } from '../tdx/testing/tdxCases.js'
import { parseCertificate, parseCrl, parsePem } from './index.js'

const [valid] = (await createTdxCases()) as [Awaited<ReturnType<typeof createTdxCases>>[0]]

/** Runs a parser, which must accept its input or refuse it with a code, within two seconds. */
function expectParsedOrRefused(parse: () => unknown): void {
  const start = performance.now()
  try {
    parse()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'internal_error') throw error
  }
  expect(performance.now() - start).toBeLessThan(2_000)
}

const anything = fc.anything({
  maxDepth: 3,
  withBigInt: true,
  withDate: true,
  withTypedArray: true,
  withNullPrototype: true,
})

test('parsers of bytes answer random bytes and random values with a code', () => {
  const parsers = [parseQuote, parseCertificate, parseCrl, parsePem, parseQuoteCollateral, parseStrictJson]
  const input = fc.oneof(fc.uint8Array({ maxLength: 4096 }), fc.string({ maxLength: 512 }), anything)
  fc.assert(
    fc.property(input, fc.constantFrom(...parsers), (value, parse) =>
      expectParsedOrRefused(() => parse(value as never)),
    ),
    { numRuns: 2_500, seed: 4 },
  )
})

test('parsers answer damaged certificates, CRLs and quotes with a code', () => {
  const random = createRandom(7)
  const crl = Buffer.from(valid.collateral.pck_crl as string, 'hex')
  for (let i = 0; i < 2_500; i++) {
    expectParsedOrRefused(() => parseCertificate(mutate(valid.root, random)))
    expectParsedOrRefused(() => parseCrl(mutate(crl, random)))
    if (i % 5 === 0) expectParsedOrRefused(() => parseQuote(mutate(valid.quote, random)))
  }
})

test('nested, endless and huge input costs bounded time', () => {
  const deep = Uint8Array.from({ length: 16_000 }, (_, i) => (i % 2 === 0 ? 0x30 : 0x80))
  const nested = new Uint8Array(16_000).fill(0x30)
  for (const bytes of [deep, nested, new Uint8Array(1_000_000).fill(0x30)]) {
    expectParsedOrRefused(() => parseCertificate(bytes))
    expectParsedOrRefused(() => parseCrl(bytes))
    expectParsedOrRefused(() => parseQuote(bytes))
  }
  expectParsedOrRefused(() => parseStrictJson('['.repeat(1_000_000)))
  expectParsedOrRefused(() => parseStrictJson(`"${'\\u0041'.repeat(150_000)}`))
  expectParsedOrRefused(() => parseStrictJson(`{${'"a":1,'.repeat(150_000)}`))
  expectParsedOrRefused(() => parsePem('-----BEGIN CERTIFICATE-----\n'.repeat(2_000)))
  expectParsedOrRefused(() => parsePem(`-----BEGIN CERTIFICATE-----\n${'A'.repeat(60_000)}`))
  expectParsedOrRefused(() => parseQuoteCollateral({ ...valid.collateral, tcb_info: 'x'.repeat(10_000_000) }))
  expectParsedOrRefused(() => parseQuoteCollateral(`{"tcb_info":"${'x'.repeat(20_000_000)}"}`))
})

test('the verifiers answer values of any type with a code', async () => {
  await fc.assert(
    fc.asyncProperty(anything, anything, anything, anything, async (quote, collateral, root, now) => {
      const attempts = [
        () => verifyQuote(quote as Uint8Array, valid.collateral, valid.root, caseTime),
        () => verifyQuote(valid.quote, collateral as QuoteCollateral, valid.root, caseTime),
        () => verifyQuote(valid.quote, valid.collateral, root as Uint8Array, caseTime),
        () => verifyQuote(valid.quote, valid.collateral, valid.root, now as number),
        () => verifySnpReport(quote as never, { now: caseTime }),
        () => verifySnpReport({ report: quote, vek: root, intermediate: root, root } as never, { now: caseTime }),
      ]
      for (const attempt of attempts) {
        const error: unknown = await attempt().then(
          () => 'accepted',
          (reason: unknown) => reason,
        )
        expect(error).toBeInstanceOf(ServiceError)
        expect((error as ServiceError).code).not.toBe('internal_error')
      }
    }),
    { numRuns: 100, seed: 5 },
  )
})

test('JSON with a member named twice is refused, and `__proto__` is only a name', () => {
  expect(() => parseStrictJson('{"a":1,"a":1}')).toThrowError(expect.objectContaining({ code: 'parse_failed' }))
  expect(() => parseStrictJson('{"a":1,"\\u0061":1}')).toThrowError(expect.objectContaining({ code: 'parse_failed' }))
  expect(() => parseStrictJson('{"a":1} x')).toThrowError(expect.objectContaining({ code: 'parse_failed' }))
  const value = parseStrictJson('{"__proto__":{"x":[1,-2.5e3,"ä\\n",true,false,null]}}') as Record<string, unknown>
  expect(Object.hasOwn(value, '__proto__')).toBe(true)
  expect(({} as Record<string, unknown>)['x']).toBeUndefined()
})
