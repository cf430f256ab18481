import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ServiceError } from '@perigee/core'
import type { EntropySource } from './EntropySource.js'
import { trackSource } from './trackSource.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function make() {
  const log = { info: vi.fn(), warn: vi.fn() }
  const tracked = trackSource({ name: 'sat', limits: { samplesPerDay: 1500 } } as EntropySource, { now: Date.now, log })
  const fail = (facts = {}) =>
    tracked.attempt(() => Promise.reject(new ServiceError('entropy_unavailable', 'the source is down', facts)))
  const succeed = () => tracked.attempt(() => Promise.resolve(2))
  const changes = () =>
    [...log.warn.mock.calls, ...log.info.mock.calls]
      .filter(([, text]) => text === 'entropy source changed state')
      .map(([fields]) => (fields as { state: string }).state)
  return { tracked, fail, succeed, changes }
}

test('opens after three failures in a row, tries once after a pause, and closes on success', async () => {
  const { tracked, fail, succeed, changes } = make()
  await fail()
  await fail()
  expect(tracked.waitMs()).toBe(0)
  await fail()
  expect(tracked.waitMs()).toBe(1_000)
  expect(tracked.snapshot()).toMatchObject({ state: 'open', failures: { entropy_unavailable: 3 } })
  const work = vi.fn()
  expect(await tracked.attempt(work)).toBeNull()
  expect(work).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1_000)
  expect(tracked.waitMs()).toBe(0)
  expect(await succeed()).toBe(2)
  expect(tracked.snapshot()).toMatchObject({ state: 'closed', fetched: 2, lastFailure: 'entropy_unavailable' })
  expect(changes()).toEqual(['open', 'half-open', 'closed'])
})

test('waits twice as long after each failed attempt, up to a minute', async () => {
  const { tracked, fail } = make()
  for (let i = 0; i < 3; i++) await fail()
  const pauses: number[] = []
  for (let i = 0; i < 9; i++) {
    pauses.push(tracked.waitMs())
    vi.advanceTimersByTime(tracked.waitMs())
    await fail()
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
})

test('a success in between starts the count again', async () => {
  const { tracked, fail, succeed } = make()
  for (let i = 0; i < 5; i++) {
    await fail()
    await fail()
    await succeed()
  }
  expect(tracked.snapshot().state).toBe('closed')
})

test('leaves a source alone as long as it asked, from the first failure on, but never longer than a day', async () => {
  const { tracked, fail } = make()
  await fail({ retryAfterSeconds: 30 })
  expect(tracked.waitMs()).toBe(30_000)
  const other = make()
  await other.fail({ retryAfterSeconds: 1e9 })
  expect(other.tracked.waitMs()).toBe(86_400_000)
})
