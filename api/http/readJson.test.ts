import { expect, test } from 'vitest'
import { parseBody } from './readJson.js'

test('reads a body as it stands', () => {
  expect(parseBody('{"a":[1,0.30000000000000004,"x"]}')).toEqual({ a: [1, 0.1 + 0.2, 'x'] })
})

// Everything else about strict JSON is tested in core/bytes/strictJson.test.ts.
test.each(['', '{', '{"a":1,"a":1}', '{"a":{"\\u005f_proto__":1}}', '['.repeat(17) + ']'.repeat(17)])(
  'refuses %s with the code of a bad request',
  (text) => {
    expect(() => parseBody(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  },
)
