import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createRandom } from '../../tests/createRandom.js'
import { costs, measuredRate, world } from './costs.js'
import { plan, walls } from './plan.js'
import { simulate } from './simulate.js'
import { capacityTables } from './tables.js'

const run = (rate: number, change: Partial<ReturnType<typeof plan>> = {}, seconds = 60) =>
  simulate({ ...plan(rate), ...change }, rate, seconds, createRandom(7).fraction)

describe.each([10, 50])('at %i times the rate of the machine that was measured', (times) => {
  const rate = measuredRate * times

  test('what the arithmetic asks for carries the load, as busy as it says', () => {
    const { busy, answered, asked, longestWaitMs, unpublished } = run(rate)
    expect(answered / asked).toBeGreaterThan(0.98) // the last second's are still under way
    expect(longestWaitMs).toBeLessThan(500)
    for (const name of ['api', 'temporal', 'worker', 'enclave']) {
      expect(busy[name], name).toBeLessThan(world.utilisation * 1.05)
    }
    expect(busy['audit']).toBeCloseTo((rate * costs.commitMs * costs.auditEvents) / 1000, 1)
    expect(unpublished).toBeLessThan(rate * world.blockSeconds)
  })

  test.each([
    ['workerCores', costs.workerMs],
    ['temporalCores', costs.temporalMs],
    ['enclaveCores', costs.enclaveMs],
  ] as const)('with too few %s the backlog grows as fast as the arithmetic says', (part, serviceMs) => {
    const cores = Math.max(1, Math.floor((rate * serviceMs * 0.5) / 1000))
    const capacity = (cores * 1000) / serviceMs
    if (capacity >= rate) return expect(cores).toBe(1) // one enclave core carries ten times this machine
    const { answered, asked } = run(rate, { [part]: cores })
    const growth = (asked - answered) / (asked - capacity * 60)
    expect(growth).toBeGreaterThan(0.98)
    expect(growth).toBeLessThan(1.05) // what is under way at the end
  })

  test('with too few publisher keys, proofs pile up as fast as the arithmetic says', () => {
    const keys = Math.floor((rate * world.blockSeconds * 0.8) / costs.receiptsPerBlockAndKey)
    const { unpublished, answered } = run(rate, { publisherKeys: keys })
    const growth = unpublished / (answered - ((keys * costs.receiptsPerBlockAndKey) / world.blockSeconds) * 60)
    expect(growth).toBeGreaterThan(0.95)
    expect(growth).toBeLessThan(1.05)
  })
})

test('one audit chain carries no more than its wall, however many cores there are', () => {
  const wall = walls().find(({ name }) => name === 'one audit chain')?.rate ?? 0
  const { answered } = run(wall * 1.5, {}, 20)
  expect(answered / 20 / wall).toBeGreaterThan(0.9)
  expect(answered / 20 / wall).toBeLessThanOrEqual(1)
})

test('the same seed gives the same run', () => {
  expect(run(67, {}, 5)).toEqual(run(67, {}, 5))
})

test('this machine’s own rate is about its two cores, by the same arithmetic', () => {
  const coresPerSignature = (costs.apiMs + costs.workerMs + 152.3 + costs.enclaveMs) / 1000
  expect(measuredRate * coresPerSignature).toBeGreaterThan(1.5)
  expect(measuredRate * coresPerSignature).toBeLessThan(2.6) // answers were counted, and part of their publication came later
})

test('docs/capacity.md has the tables of today', () => {
  const docs = readFileSync(new URL('../../docs/capacity.md', import.meta.url), 'utf8')
  const { needs, limits } = capacityTables()
  expect(docs).toContain(needs)
  expect(docs).toContain(limits)
})
