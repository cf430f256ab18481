import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressKey } from './clientAddress.js'
import { createMemoryLimiter } from './createMemoryLimiter.js'
import { defaultRateLimits, parseRateLimits } from './RateLimit.js'

test('never lets more through than the burst and the rate allow', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 200 }),
      (perSecond, burst, waits) => {
        let clock = 0
        let allowed = 0
        const limiter = createMemoryLimiter({ perSecond, burst }, () => clock)
        for (const wait of waits) {
          clock += wait
          if (limiter.take('a').allowed) allowed += 1
        }
        expect(allowed).toBeLessThanOrEqual(burst + (clock * perSecond) / 1000 + 1e-6)
      },
    ),
  )
})

test('lets the caller in again after Retry-After, and other callers all the time', () => {
  let clock = 0
  const limiter = createMemoryLimiter({ perSecond: 2, burst: 3 }, () => clock)
  expect([1, 2, 3, 4].map(() => limiter.take('a').allowed)).toEqual([true, true, true, false])
  expect(limiter.take('b').allowed).toBe(true)
  clock += limiter.take('a').retryAfterSeconds * 1000
  expect(limiter.take('a').allowed).toBe(true)
})

test('gives a place back', () => {
  const limiter = createMemoryLimiter({ perSecond: 0.01, burst: 2 }, () => 0)
  expect([1, 2, 3].map(() => limiter.take('a').allowed)).toEqual([true, true, false])
  limiter.giveBack('a')
  limiter.giveBack('unknown')
  expect([1, 2].map(() => limiter.take('a').allowed)).toEqual([true, false])
})

test('forgets callers whose bucket is full again', () => {
  let clock = 0
  const limiter = createMemoryLimiter({ perSecond: 10, burst: 10 }, () => clock)
  for (let i = 0; i < 5_000; i++) limiter.take(`caller ${i}`)
  clock += 60_000
  limiter.take('one more')
  expect(limiter.size).toBe(1)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('counts %s as %s', (ip, key) => {
  expect(addressKey(ip)).toBe(key)
})

test('reads limits from text, or says that it cannot', () => {
  expect(parseRateLimits([])).toEqual(defaultRateLimits)
  expect(parseRateLimits(['signIn:0.5/3'])?.signIn).toEqual({ perSecond: 0.5, burst: 3 })
  for (const wrong of ['signIn', 'signIn:1', 'signIn:0/1', 'signIn:1/0', 'sign:1/1', 'toString:1/1', 'signIn:-1/1']) {
    expect(parseRateLimits([wrong])).toBeNull()
  }
})
