import { expect, test } from 'vitest'
import { createBreaker, type BreakerState } from './createBreaker.js'

function make() {
  const clock = { ms: 1_000_000 }
  const changes: BreakerState[] = []
  const breaker = createBreaker({ now: () => clock.ms, onChange: (state) => void changes.push(state) })
  return { clock, changes, breaker }
}

test('opens after three failures in a row, tries once after a pause, and closes on success', () => {
  const { clock, changes, breaker } = make()
  breaker.failed()
  breaker.failed()
  expect(breaker.waitMs()).toBe(0)
  breaker.failed()
  expect(breaker.waitMs()).toBe(1_000)
  clock.ms += 1_000
  expect(breaker.waitMs()).toBe(0)
  expect(breaker.state).toBe('half-open')
  breaker.succeeded()
  expect(breaker.state).toBe('closed')
  expect(changes).toEqual(['open', 'half-open', 'closed'])
})

test('waits twice as long after each failed attempt, up to a minute', () => {
  const { clock, breaker } = make()
  for (let i = 0; i < 3; i++) breaker.failed()
  const pauses: number[] = []
  for (let i = 0; i < 9; i++) {
    pauses.push(breaker.waitMs())
    clock.ms += breaker.waitMs()
    breaker.failed()
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
})

test('a success in between starts the count again', () => {
  const { breaker } = make()
  for (let i = 0; i < 5; i++) {
    breaker.failed()
    breaker.failed()
    breaker.succeeded()
  }
  expect(breaker.state).toBe('closed')
})

test('leaves a source alone as long as it asked, from the first failure on, but never longer than a day', () => {
  const { breaker } = make()
  breaker.failed(30)
  expect(breaker.waitMs()).toBe(30_000)
  const other = make()
  other.breaker.failed(1e9)
  expect(other.breaker.waitMs()).toBe(86_400_000)
})
