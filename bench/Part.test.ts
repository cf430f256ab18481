import { expect, test } from 'vitest'
import { figure } from './Figure.js'
import { measurePart } from './Part.js'

const part = { name: 'one', compares: 'nothing', seconds: 1 }
const noStack = () => Promise.reject(new Error('no stack'))

test('a part that fails is a result with the reason, not an end of the run', async () => {
  const result = await measurePart({ ...part, measure: async (stack) => (await stack(), []) }, noStack)
  expect(result).toMatchObject({ figures: [], failure: 'no stack' })
})

test('a part that measures gives its figures and the time that it took', async () => {
  const row = figure('a', 'ms', [1, 2, 3])
  const result = await measurePart({ ...part, measure: () => Promise.resolve([row]) }, noStack)
  expect(result.figures).toEqual([row])
  expect(result.failure).toBeUndefined()
})
