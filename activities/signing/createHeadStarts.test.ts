import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHeadStarts } from './createHeadStarts.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what is begun can be taken up once', async () => {
  const headStarts = createHeadStarts<number>()
  const start = vi.fn(() => Promise.resolve(1))
  headStarts.begin('a', start)
  headStarts.begin('a', start)
  expect(start).toHaveBeenCalledTimes(1)
  expect(headStarts.take('b')).toBeUndefined()
  expect(await headStarts.take('a')).toBe(1)
  expect(headStarts.take('a')).toBeUndefined()
})

test('it goes on when it is wanted, and is still there to be taken up', async () => {
  const headStarts = createHeadStarts<string>()
  const done: string[] = []
  const start = (name: string) => async (wanted: Promise<void>) => {
    await wanted
    done.push(name)
    return name
  }
  for (const name of ['finished', 'taken', 'unwanted']) headStarts.begin(name, start(name))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(done).toEqual([])
  expect(headStarts.finish('unknown')).toBeUndefined()
  expect(headStarts.wanted('finished')).toBeUndefined()
  expect(await headStarts.finish('finished')).toBe('finished')
  expect(await headStarts.wanted('finished')).toBe('finished')
  expect(headStarts.wanted('unwanted')).toBeUndefined()
  expect(await headStarts.take('taken')).toBe('taken')
  expect(await headStarts.take('finished')).toBe('finished')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(done).toEqual(['finished', 'taken'])
})

test('what nobody takes up is forgotten, and makes room', () => {
  const headStarts = createHeadStarts<number>()
  const start = vi.fn(() => new Promise<number>(() => undefined))
  for (let index = 0; index < 20; index++) headStarts.begin(String(index), start)
  expect(start).toHaveBeenCalledTimes(16)
  vi.advanceTimersByTime(5_000)
  expect(headStarts.take('0')).toBeUndefined()
  headStarts.begin('again', start)
  expect(start).toHaveBeenCalledTimes(17)
})

test('one that is begun again after it was taken up has its own time', () => {
  const headStarts = createHeadStarts<number>()
  headStarts.begin('a', () => Promise.resolve(1))
  vi.advanceTimersByTime(4_000)
  void headStarts.take('a')
  headStarts.begin('a', () => Promise.resolve(2))
  vi.advanceTimersByTime(4_000)
  expect(headStarts.take('a')).toBeDefined()
})

test('a failure is told to whoever takes it up, and to nobody else', async () => {
  const headStarts = createHeadStarts<number>()
  for (const name of ['a', 'b']) headStarts.begin(name, () => Promise.reject(new Error('away')))
  await expect(headStarts.take('a')).rejects.toThrow('away') // b's would end the test run if it were not caught
})
