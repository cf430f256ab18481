import { expect, test } from 'vitest'
import { isDatabaseAway } from './isDatabaseAway.js'

const withCode = (code: string) => Object.assign(new Error('x'), { code })

test.each(['08006', '57P01', '57P03', '53300', 'ECONNREFUSED', 'ECONNRESET', 'EAI_AGAIN'])(
  '%s means that it is away',
  (code) => {
    expect(isDatabaseAway(withCode(code))).toBe(true)
    expect(isDatabaseAway(Object.assign(new Error('query failed'), { driverError: withCode(code) }))).toBe(true)
  },
)

test('a connection that ended without a code means so too', () => {
  expect(isDatabaseAway(new Error('Connection terminated unexpectedly'))).toBe(true)
})

test.each(['23505', '42601', 'ERR_INVALID_ARG_TYPE'])('%s is a fault of ours', (code) => {
  expect(isDatabaseAway(withCode(code))).toBe(false)
})
