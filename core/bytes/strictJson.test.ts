import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseStrictJson, type StrictJsonOptions } from './strictJson.js'

/** As the API reads bodies. */
const bodies = { maxDepth: 16, refusedNames: ['__proto__'], anyScalar: true }

const codeOf = (text: string, options: StrictJsonOptions = bodies) => {
  try {
    parseStrictJson(text, options)
  } catch (error) {
    return (error as { code?: string }).code
  }
  return 'accepted'
}

test('reads every JSON value exactly as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space)
      if (text.includes('__proto__')) return
      expect(parseStrictJson(text, bodies)).toEqual(JSON.parse(text))
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  '{"a":1,"a":1}',
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '{"x":{"to":1,"b":[],"to":2}}',
  '[{"a":{}},{"b":[{"c":1,"d":"}","c":2}]}]',
  '{"a":"\\"","b":"{","a":1}',
  '{"":1,"":2}',
  '{"__proto__":{"to":1}}',
  '{"a":{"\\u005f_proto__":1}}',
])('refuses %s', (text) => {
  expect(codeOf(text)).toBe('parse_failed')
})

test.each(['{"a":1,"b":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"a","b":"a"}', '{"a":["a","a"]}', '{"a":"x,\\"a\\":"}'])(
  'accepts equal keys in different objects: %s',
  (text) => {
    expect(codeOf(text)).toBe('accepted')
  },
)

test.each([
  '',
  '{',
  '{"a":}',
  '{a:1}',
  "{'a':1}",
  '{"a":1,}',
  '\u{feff}{}',
  '{} {}',
  'undefined',
  '{"a":NaN}',
  '{"a":01}',
])('refuses what is not JSON: %s', (text) => {
  expect(codeOf(text)).toBe('parse_failed')
})

test('bounds the depth, and a bomb of brackets does not hurt', () => {
  expect(codeOf('[[1]]', { maxDepth: 2 })).toBe('accepted')
  expect(codeOf('[[[1]]]', { maxDepth: 2 })).toBe('parse_failed')
  expect(codeOf('['.repeat(32_000) + ']'.repeat(32_000))).toBe('parse_failed')
  expect(codeOf('{"a":'.repeat(10_000))).toBe('parse_failed')
})

test.each(['12345678901234567', '0.12345678901234567', '1e1000', '"\u007f"', '{"\u0085":1}'])(
  'refuses %j, which programs read differently, unless told otherwise',
  (text) => {
    expect(codeOf(text, {})).toBe('parse_failed')
    expect(codeOf(text)).toBe('accepted')
  },
)

test.each(['1234567890123456', '-0.1234567890123456E-100', '"12345678901234567"', '"\\u007f"'])(
  'accepts %s',
  (text) => {
    expect(codeOf(text, {})).toBe('accepted')
  },
)
