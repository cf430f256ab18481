import { expect, test } from 'vitest'
import { nonceCoverage, rangesOf } from './nonceCoverage.js'

const whole = { unread: 0, searchedAll: true }

test('a wallet that sent nothing has nothing to lack', () => {
  expect(nonceCoverage({ count: 0, receipts: [], ...whole })).toEqual({ kind: 'none', missing: [] })
})

test('every nonce has a receipt, in whatever order and however often', () => {
  const receipts = [2, 0, 1, 1, 7]
  expect(nonceCoverage({ count: 3, receipts, ...whole })).toEqual({ kind: 'covered', missing: [] })
  // What is unread cannot take away what was read.
  expect(nonceCoverage({ count: 3, receipts, unread: 4, searchedAll: false }).kind).toBe('covered')
})

test('a gap is a gap only when nothing is left that could fill it', () => {
  const gap = { count: 4, receipts: [0, 2] }
  expect(nonceCoverage({ ...gap, ...whole })).toEqual({ kind: 'missing', missing: [1, 3] })
  expect(nonceCoverage({ ...gap, unread: 1, searchedAll: true }).kind).toBe('unknown')
  expect(nonceCoverage({ ...gap, unread: 0, searchedAll: false }).kind).toBe('unknown')
})

test('numbers are told in ranges, and not endlessly', () => {
  expect(rangesOf([3, 5, 6, 7, 12])).toBe('3, 5–7, 12')
  expect(rangesOf(Array.from({ length: 10 }, (_, i) => i * 2))).toMatch(/^0, 2, .*14, …$/)
})
