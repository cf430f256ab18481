import { expect, test, vi } from 'vitest'
import { figure } from './Figure.js'
import { measurePart } from './Part.js'

const part = { name: 'one', compares: 'nothing', seconds: 1 }
const noStack = () => Promise.reject(new Error('no stack'))

test('a part that fails gives a result with the reason and does not end the run', async () => {
  const result = await measurePart({ ...part, measure: async (stack) => (await stack(), []) }, noStack)
  expect(result).toMatchObject({ figures: [], failure: 'no stack' })
})

test('a part gives its figures and the time it took', async () => {
  const row = figure('a', 'ms', [1, 2, 3])
  const result = await measurePart({ ...part, measure: () => Promise.resolve([row]) }, noStack)
  expect(result.figures).toEqual([row])
  expect(result.failure).toBeUndefined()
})

test('a part that hangs is given up; the time in which its stack starts does not count', async () => {
  vi.useFakeTimers()
  try {
    const stack = () => new Promise<never>((resolve) => setTimeout(() => resolve({} as never), 900_000))
    const hanging = measurePart({ ...part, measure: async (open) => (await open(), new Promise(() => {})) }, stack)
    let ended = false
    void hanging.then(() => (ended = true))
    await vi.advanceTimersByTimeAsync(900_000 + 599_000)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(2_000)
    expect((await hanging).failure).toBe('gave up after 600 s')
  } finally {
    vi.useRealTimers()
  }
})
