import type { ProofPayload, ProofStatus } from '@perigee/sdk'
import { expect, test } from 'vitest'
import { statusWords } from './statusWords.js'
import { stepsOf } from './stepsOf.js'

const proof = (status: ProofStatus) =>
  ({ status, createdAt: '2026-11-15T00:00:00Z', onchainBlockNumber: null }) as ProofPayload

test.each([
  ['pending_pin', ['done', 'active', 'waiting'], 'busy'],
  ['pending_onchain', ['done', 'done', 'active'], 'busy'],
  ['complete', ['done', 'done', 'done'], 'good'],
  ['pin_failed', ['done', 'failed', 'waiting'], 'bad'],
  ['onchain_failed', ['done', 'done', 'failed'], 'bad'],
] as const)('%s is shown as %j', (status, states, tone) => {
  expect(stepsOf(proof(status)).map(({ state }) => state)).toEqual(states)
  expect(statusWords.transaction[status].tone).toBe(tone)
})
