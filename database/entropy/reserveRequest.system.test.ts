import { expect, test } from 'vitest'
import type { DataSource } from 'typeorm'
import { useDatabase } from '../../tests/harness/index.js'
import { reserveRequest } from './reserveRequest.js'

let database: DataSource
useDatabase((opened) => (database = opened))

test('grants the first burst and then the even rate, however many workers ask', async () => {
  const limits = { requests: 8, perSeconds: 0.8, samplesPerDay: null }
  const granted: number[] = []
  const until = performance.now() + 2_400
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      const { samples, retryAfterSeconds } = await reserveRequest(database, 'windowed', 1, limits)
      if (samples === 1) granted.push(performance.now())
      else await new Promise((resolve) => setTimeout(resolve, Math.min(20, retryAfterSeconds * 1000)))
    }
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  expect(granted.length).toBeGreaterThan(12)
  expect(granted.length).toBeLessThanOrEqual(2 + Math.ceil(2_600 / (800 / 6)) + 1)
})

test('a quarter of the window may come at once, the next must wait', async () => {
  const limits = { requests: 40, perSeconds: 3600, samplesPerDay: null }
  for (let i = 0; i < 10; i++) expect(await reserveRequest(database, 'burst', 1, limits)).toMatchObject({ samples: 1 })
  const refused = await reserveRequest(database, 'burst', 1, limits)
  expect(refused.samples).toBe(0)
  expect(refused.retryAfterSeconds).toBeGreaterThan(100)
  expect(refused.retryAfterSeconds).toBeLessThanOrEqual(120)
})

test('stops at the daily capacity, across workers, until the next UTC day', async () => {
  const limits = { requests: 1000, perSeconds: 1, samplesPerDay: 25 }
  const results = await Promise.all(Array.from({ length: 6 }, () => reserveRequest(database, 'daily', 10, limits)))
  expect(results.reduce((sum, { samples }) => sum + samples, 0)).toBe(25)
  const refused = await reserveRequest(database, 'daily', 1, limits)
  expect(refused.samples).toBe(0)
  expect(refused.retryAfterSeconds).toBeLessThanOrEqual(86_400)
  await database.query(`UPDATE entropy_sources SET day = day - 1 WHERE source = 'daily'`)
  expect(await reserveRequest(database, 'daily', 10, limits)).toMatchObject({ samples: 10 })
})
