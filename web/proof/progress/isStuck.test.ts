import { expect, test } from 'vitest'
import { isStuck } from './isStuck.js'

const createdAt = '2026-11-15T00:00:00Z'
const soon = Date.parse(createdAt) + 10_000
const later = Date.parse(createdAt) + 10 * 60_000

test.each([
  ['complete', later, false],
  ['pin_failed', soon, true],
  ['onchain_failed', soon, true],
  ['pending_pin', soon, false],
  ['pending_pin', later, true],
  ['pending_onchain', later, true],
] as const)('a proof in %s at %i is stuck: %j', (status, now, stuck) => {
  expect(isStuck({ status, createdAt }, now)).toBe(stuck)
})
