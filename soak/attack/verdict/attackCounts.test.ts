import { expect, test } from 'vitest'
import { attackCounts, type AttackCount, type AttackEvidence, type SignedRecord } from './attackCounts.js'

const day = '2026-11-17'
const start = Date.parse(`${day}T10:00:00Z`)
const record = (seconds: number, more: Partial<SignedRecord> = {}): SignedRecord => ({
  user: 'signer 1',
  kind: 'message',
  at: start + seconds * 1000,
  day,
  sent: false,
  ...more,
})
const many = (count: number, make: (index: number) => SignedRecord) => Array.from({ length: count }, (_, i) => make(i))
const shares = {
  users: { perSecond: 5, burst: 25, perDay: 300, unsent: 50 },
  streams: { perAddress: 100, perUser: 20 },
}
const { users } = shares

/** Somebody who used up every share and no more, everybody refused as promised, and one honest user. */
function kept(): AttackEvidence {
  const refusal = { by: 'signer 1', operation: 'signDigest', hasRetryAfter: true, hasRateLimit: true, times: 3 }
  return {
    shares,
    unsentSeconds: 180,
    signed: [
      record(0, { kind: 'birth' }),
      ...many(users.burst - 1, () => record(0)),
      ...many(users.unsent, (index) => record(10 + index / users.perSecond, { kind: 'transaction' })),
      // What is not unsent any more makes room for as many again.
      ...many(users.unsent, (index) => record(200 + index / users.perSecond, { kind: 'transaction' })),
      ...many(175, (index) => record(300 + index / users.perSecond)),
      ...many(80, (index) => record(index, { user: 'user 0', kind: 'transaction', sent: true })),
    ],
    refusals: [
      { ...refusal, status: 429, code: 'share_exceeded', share: 'user.perDay' },
      { ...refusal, status: 503, code: 'entropy_unavailable', share: 'entropy' },
    ],
    replays: [
      { name: 'a', expect: 'refused', status: 422, code: 'authorisation_invalid', same: false, times: 4 },
      { name: 'a', expect: 'refused', status: 429, code: 'rate_limited', same: false, times: 4 },
      { name: 'b', expect: 'same', status: 200, code: '', same: true, times: 4 },
    ],
    operations: ['signDigest', 'health'],
    answered: { signDigest: 4, health: 1 },
    streams: [
      { kind: 'user', holder: 'holder', most: 20 },
      { kind: 'address', holder: 'holder', most: 100 },
    ],
    honest: [{ user: 0, operation: 'sign', status: 200, code: '', share: null, ms: 100 }],
    samples: { given: 900, left: 900 },
  }
}

type Spoil = (evidence: AttackEvidence) => void
const first = <T>(list: readonly T[]): T => list[0] as T

const spoilt: [AttackCount, string, Spoil][] = [
  ['sharesExceeded', 'a user got more at once than the bucket holds', ({ signed }) => void signed.push(...many(37, () => record(0, { user: 'x' })))], // prettier-ignore
  ['sharesExceeded', 'two processes each gave a whole bucket', ({ signed }) => void signed.push(...many(25, () => record(600, { user: 'x' })), ...many(25, () => record(600.5, { user: 'x' })))], // prettier-ignore
  ['sharesExceeded', 'a user got more a second for a long time', ({ signed }) => void signed.push(...many(200, (i) => record(i / (users.perSecond + 1.5), { user: 'x' })))], // prettier-ignore
  ['sharesExceeded', 'a user got one more on a day', ({ signed }) => void signed.push(record(4_000))],
  ['sharesExceeded', 'a user has one more unsent', ({ signed }) => void signed.push(...many(51, (i) => record(i, { user: 'x', kind: 'transaction' })))], // prettier-ignore
  ['streamsExceeded', 'a user holds one more stream', ({ streams }) => void (first(streams).most = 21)],
  ['streamsExceeded', 'an address holds one more', ({ streams }) => void streams.push({ kind: 'address', holder: '127.0.0.9', most: 101 })], // prettier-ignore
  ['refusalsUnexplained', 'Retry-After is missing', ({ refusals }) => void (first(refusals).hasRetryAfter = false)],
  ['refusalsUnexplained', 'RateLimit is missing', ({ refusals }) => void (first(refusals).hasRateLimit = false)],
  ['refusalsUnexplained', 'no share is named', ({ refusals }) => void (first(refusals).share = null)],
  ['entropyRefused', 'an honest user must wait', ({ honest }) => void honest.push({ ...first(honest), status: 503, code: 'entropy_unavailable', share: 'entropy' })], // prettier-ignore
  ['honestFailed', 'an honest user is refused', ({ honest }) => void honest.push({ ...first(honest), status: 429, code: 'rate_limited', share: 'session' })], // prettier-ignore
  ['honestFailed', 'an honest user gets no answer', ({ honest }) => void honest.push({ ...first(honest), status: 0 })],
  ['replaysAccepted', 'a replay is signed', ({ replays }) => void (first(replays).status = 200)],
  ['replaysAccepted', 'a replay gets another answer', ({ replays }) => void replays.push({ name: 'b', expect: 'same', status: 200, code: '', same: false, times: 1 })], // prettier-ignore
  ['replaysUntried', 'a replay met only the limit', ({ replays }) => void (first(replays).status = 429)],
  ['replaysUntried', 'a replay met only failures', ({ replays }) => void replays.push({ ...first(replays), name: 'c', status: 503 })], // prettier-ignore
  ['operationsUntouched', 'an endpoint is new', ({ operations }) => void operations.push('newEndpoint')],
  ['samplesExceeded', 'the source was asked for one more', ({ samples }) => void (samples.given += 1)],
]

test.each(Object.keys(attackCounts) as AttackCount[])('%s is zero where every promise was kept', (name) => {
  expect(attackCounts[name](kept())).toEqual([])
})

test.each(spoilt)('%s counts that %s', (name, _what, spoil) => {
  const evidence = kept()
  spoil(evidence)
  expect(attackCounts[name](evidence)).not.toEqual([])
})

test('every count has a violation that it is known to notice', () => {
  expect(new Set(spoilt.map(([name]) => name))).toEqual(new Set(Object.keys(attackCounts)))
})
