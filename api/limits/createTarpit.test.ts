import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTarpit } from './createTarpit.js'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

const settings = { firstMs: 250, perSecond: 10, maxPerCaller: 6, max: 9 }
type Tarpit = ReturnType<typeof createTarpit>

/** When each of this many refusals of a caller is answered. */
function answerTimes(tarpit: Tarpit, caller: string, count: number): number[] {
  const times: number[] = []
  for (let i = 0; i < count; i++) void tarpit(caller, new EventEmitter()).then(() => times.push(Date.now()))
  return times
}

test('a caller’s refusals slow down as more of them wait, another caller’s do not', async () => {
  const tarpit = createTarpit(settings)
  const [greedy, other] = [answerTimes(tarpit, 'greedy', 6), answerTimes(tarpit, 'other', 1)]
  await vi.runAllTimersAsync()
  expect(greedy).toEqual([250, 250, 250, 300, 400, 500])
  expect(other).toEqual([250])
})

test('a flood over several connections gets no more refusals than the pace allows', async () => {
  const tarpit = createTarpit(settings)
  let refusals = 0
  const connection = async () => {
    for (;;) {
      await tarpit('greedy', new EventEmitter())
      refusals += 1
    }
  }
  for (let i = 0; i < 6; i++) void connection()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(refusals).toBeGreaterThan(500)
  expect(refusals).toBeLessThan(900)
})

test('a bounded number waits, per caller and in all; the rest is refused at once', async () => {
  const tarpit = createTarpit(settings)
  const times = ['a', 'b', 'c'].map((caller) => answerTimes(tarpit, caller, 7))
  await vi.runAllTimersAsync()
  expect(times.map((of) => of.filter((at) => at === 0).length)).toEqual([1, 4, 7])
  const again = answerTimes(tarpit, 'c', 1)
  await vi.runAllTimersAsync()
  expect(again).toEqual([750])
})

test('a client that leaves makes room', async () => {
  const tarpit = createTarpit(settings)
  const answers = Array.from({ length: 6 }, () => new EventEmitter())
  const all = Promise.all(answers.map((answer) => tarpit('a', answer)))
  for (const answer of answers) answer.emit('close')
  await all
  expect(vi.getTimerCount()).toBe(0)
  const next = answerTimes(tarpit, 'a', 1)
  await vi.runAllTimersAsync()
  expect(next).toEqual([250])
})
