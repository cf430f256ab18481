import { expect, test } from 'vitest'
import { hostileReturnTos } from '../testing/hostileReturnTos.js'
import { parseReturnTo, withSignInError } from './parseReturnTo.js'

const origins = ['http://localhost:5173', 'https://app.example.org']

test('goes to the first app when nothing is asked for', () => {
  expect(parseReturnTo(undefined, origins)).toBe('http://localhost:5173/')
})

test.each([
  ['https://app.example.org', 'https://app.example.org/'],
  ['https://app.example.org/a/b?c=d#e', 'https://app.example.org/a/b?c=d#e'],
  ['http://localhost:5173/?next=//evil.example', 'http://localhost:5173/?next=//evil.example'],
  ['https://app.example.org/%2e%2e/x', 'https://app.example.org/x'],
])('accepts %s', (given, used) => {
  expect(parseReturnTo(given, origins)).toBe(used)
})

test.each([
  ['https://app.example.org/a?sign_in_error=sign_in_refused', 'https://app.example.org/a'],
  ['https://app.example.org/a?b=c&sign_in_error=x&sign_in_error=y#d', 'https://app.example.org/a?b=c#d'],
  ['https://app.example.org/a?sign%5Fin%5Ferror=x&b=c', 'https://app.example.org/a?b=c'],
])('forgets the error of an earlier attempt in %s', (given, used) => {
  expect(parseReturnTo(given, origins)).toBe(used)
})

test(`refuses each of ${hostileReturnTos.length} hostile values`, () => {
  expect(hostileReturnTos.length).toBeGreaterThanOrEqual(100)
  expect(new Set(hostileReturnTos).size).toBe(hostileReturnTos.length)
  for (const value of [...hostileReturnTos, [], {}, 1, null, ['https://app.example.org/', 'https://evil.example/']]) {
    expect(() => parseReturnTo(value, origins), JSON.stringify(value)).toThrowError(
      expect.objectContaining({ code: 'return_to_not_allowed' }),
    )
  }
})

test('adds the code without losing the rest of the address', () => {
  expect(withSignInError('https://app.example.org/a?b=c#d', 'sign_in_failed')).toBe(
    'https://app.example.org/a?b=c&sign_in_error=sign_in_failed#d',
  )
})
