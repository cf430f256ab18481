import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSlowDown } from './createSlowDown.js'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

const settings = { firstMs: 250, perSecond: 10, mostPerCaller: 6, most: 9 }
type SlowDown = ReturnType<typeof createSlowDown>

/** When each of so many refusals of a caller is answered. */
function answerTimes(slowDown: SlowDown, caller: string, count: number): number[] {
  const times: number[] = []
  for (let i = 0; i < count; i++) void slowDown(caller, new EventEmitter()).then(() => times.push(Date.now()))
  return times
}

test('a caller’s refusals come the slower the more of them wait, another’s do not', async () => {
  const slowDown = createSlowDown(settings)
  const [greedy, other] = [answerTimes(slowDown, 'greedy', 6), answerTimes(slowDown, 'other', 1)]
  await vi.runAllTimersAsync()
  expect(greedy).toEqual([250, 250, 250, 300, 400, 500])
  expect(other).toEqual([250])
})

test('over its connections a flood gets no more refusals than the pace allows', async () => {
  const slowDown = createSlowDown(settings)
  let refusals = 0
  const connection = async () => {
    for (;;) {
      await slowDown('greedy', new EventEmitter())
      refusals += 1
    }
  }
  for (let i = 0; i < 6; i++) void connection()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(refusals).toBeGreaterThan(500)
  expect(refusals).toBeLessThan(900)
})

test('only so many wait, of one caller and of all; the others are answered at once', async () => {
  const slowDown = createSlowDown(settings)
  const times = ['a', 'b', 'c'].map((caller) => answerTimes(slowDown, caller, 7))
  await vi.runAllTimersAsync()
  expect(times.map((of) => of.filter((at) => at === 0).length)).toEqual([1, 4, 7])
  const again = answerTimes(slowDown, 'c', 1)
  await vi.runAllTimersAsync()
  expect(again).toEqual([750])
})

test('a client that leaves makes room', async () => {
  const slowDown = createSlowDown(settings)
  const answers = Array.from({ length: 6 }, () => new EventEmitter())
  const all = Promise.all(answers.map((answer) => slowDown('a', answer)))
  for (const answer of answers) answer.emit('close')
  await all
  expect(vi.getTimerCount()).toBe(0)
  const next = answerTimes(slowDown, 'a', 1)
  await vi.runAllTimersAsync()
  expect(next).toEqual([250])
})
