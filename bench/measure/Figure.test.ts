import { expect, test } from 'vitest'
import { figure, missesGoal, notMeasured, share } from './Figure.js'

test('a ratio is taken round by round, so that a slow round does not distort it', () => {
  const row = figure('ours', 'ms', [10, 40, 12], { against: { name: 'theirs', rounds: [5, 20, 6] }, atMost: 2 })
  expect(row).toMatchObject({ value: 12, spread: [10, 40], rounds: 3, times: 2, timesSpread: [2, 2] })
  expect(missesGoal(row)).toBe(false)
})

test('a goal is missed by the exact figure, however little', () => {
  expect(missesGoal(figure('a', 'ms', [1.0001], { atMost: 1 }))).toBe(true)
  expect(missesGoal(figure('a', '/s', [0.4999], { atLeast: 0.5 }))).toBe(true)
  expect(missesGoal(figure('a', 'ms', [1], { atMost: 1 }))).toBe(false)
})

test('the value may have a goal besides the ratio', () => {
  const against = { name: 'b', rounds: [10] }
  expect(missesGoal(figure('a', 'ms', [3], { against, valueAtMost: 2 }))).toBe(true)
  expect(missesGoal(figure('a', 'ms', [3], { against, valueAtMost: 3, atMost: 0.2 }))).toBe(true)
})

test('a goal that could not be measured is missed', () => {
  expect(missesGoal(figure('a', 'ms', [], { atMost: 1 }))).toBe(true)
  expect(missesGoal({ ...notMeasured('a', 'ms', 'away'), atMost: 1 })).toBe(true)
  expect(missesGoal(notMeasured('a', 'ms', 'away'))).toBe(false)
})

test('the share of a few values is one of them', () => {
  expect([0.5, 0.95, 0.99].map((part) => share([4, 1, 3, 2], part))).toEqual([3, 4, 4])
})
