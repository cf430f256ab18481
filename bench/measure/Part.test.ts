import { expect, test } from 'vitest'
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
