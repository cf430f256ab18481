import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeatEvery } from './repeatEvery.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('runs one after another, goes on after a failure, and ends with the run in progress', async () => {
  const ended: number[] = []
  const failures: unknown[] = []
  let begun = 0
  const work = async () => {
    const number = ++begun
    await new Promise((resolve) => setTimeout(resolve, 150))
    if (number === 1) throw new Error('the first fails')
    ended.push(number)
  }
  const repeated = repeatEvery(100, work, (error) => void failures.push(error))
  await vi.advanceTimersByTimeAsync(99)
  expect(begun).toBe(0)
  await vi.advanceTimersByTimeAsync(120) // the second is due, and waits for the first
  expect(begun).toBe(1)
  await vi.advanceTimersByTimeAsync(40)
  expect([begun, failures]).toEqual([2, [new Error('the first fails')]])
  const stopping = repeated.stop()
  await vi.advanceTimersByTimeAsync(1_000)
  await stopping
  expect(ended).toEqual([2])
  expect(vi.getTimerCount()).toBe(0)
})

test('runs at once when asked to', async () => {
  const work = vi.fn(() => Promise.resolve())
  const repeated = repeatEvery(60_000, work, () => undefined)
  repeated.run()
  await repeated.stop()
  expect(work).toHaveBeenCalledTimes(1)
})

test('a slow run is followed by one more, however many were due', async () => {
  let begun = 0
  const work = () => {
    begun++
    return new Promise<void>((resolve) => setTimeout(resolve, begun === 1 ? 1_000 : 1))
  }
  const repeated = repeatEvery(100, work, () => undefined)
  await vi.advanceTimersByTimeAsync(1_050)
  const stopping = repeated.stop()
  await vi.advanceTimersByTimeAsync(1_000)
  await stopping
  expect(begun).toBe(2)
})
