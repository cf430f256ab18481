import { CancelledFailure, type ApplicationFailure } from '@temporalio/common'
import { expect, test } from 'vitest'
import { ServiceError } from '@perigee/core/errors'
import { toApplicationFailure, translateErrors } from './translateErrors.js'

const translate = (error: unknown) => toApplicationFailure(error) as ApplicationFailure

test('the code becomes the type, the catalogue decides about retrying, and the facts go along', () => {
  const refused = translate(new ServiceError('digest_mismatch', 'no', { expected: '0x1' }))
  expect(refused).toMatchObject({ type: 'digest_mismatch', nonRetryable: true, details: [{ expected: '0x1' }] })
  expect(translate(new ServiceError('enclave_busy', 'later'))).toMatchObject({
    type: 'enclave_busy',
    nonRetryable: false,
  })
})

test('a source that said when to come back is not asked before', () => {
  const later = translate(new ServiceError('entropy_unavailable', 'later', { retryAfterSeconds: 7 }))
  expect(later.nextRetryDelay).toBe(7_000)
})

test('a lost database connection is retried as service_unavailable, anything else as internal_error without its words', () => {
  const lost = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' })
  expect(translate(lost)).toMatchObject({ type: 'service_unavailable', nonRetryable: false })
  const shutdown = Object.assign(new Error('x'), { driverError: Object.assign(new Error('y'), { code: '57P01' }) })
  expect(translate(shutdown)).toMatchObject({ type: 'service_unavailable' })
  const bug = translate(new TypeError('password is hunter2'))
  expect(bug).toMatchObject({ type: 'internal_error', nonRetryable: false })
  expect(bug.message).not.toContain('hunter2')
})

test('a worker that stops hands its activities over, and does not cancel them', () => {
  const stopping = translate(new CancelledFailure('WORKER_SHUTDOWN'))
  expect(stopping).toMatchObject({ type: 'service_unavailable', nonRetryable: false })
})

test('a cancellation stays a cancellation', () => {
  const cancelled = new CancelledFailure('CANCELLED')
  expect(toApplicationFailure(cancelled)).toBe(cancelled)
})

test('the log of a message has the code of what went wrong, and none of its words', async () => {
  const lines: unknown[] = []
  const note = (...line: unknown[]) => lines.push(line)
  const info = { activityType: 'a', workflowExecution: { workflowId: 'message/wallet/0x00' }, attempt: 1 }
  const { inbound } = translateErrors({ warn: note, error: note } as never)({ info } as never)
  for (const error of [
    new ServiceError('sign_in_domain', 'secret', { domain: 'secret' }),
    new TypeError('secret'),
    new CancelledFailure('CANCELLED'),
  ]) {
    await expect(inbound?.execute?.({} as never, () => Promise.reject(error))).rejects.toBeDefined()
  }
  const where = { activity: 'a', workflow: 'message/wallet/0x00', attempt: 1 }
  expect(lines).toEqual([
    [{ ...where, code: 'sign_in_domain' }, 'a step failed'],
    [{ ...where, code: 'internal_error' }, 'a step failed'],
  ])
})

test('the log says what happened: a database that is away is no bug, and no alarm', async () => {
  const lines: [level: string, words: unknown][] = []
  const logTo = (level: string) => (_facts: unknown, words: unknown) => lines.push([level, words])
  const log = { warn: logTo('warn'), error: logTo('error') }
  const info = { activityType: 'a', workflowExecution: { workflowId: 'w' }, attempt: 1 }
  const { inbound } = translateErrors(log as never)({ info } as never)
  for (const error of [
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    new ServiceError('enclave_busy', 'later'),
    new TypeError('a bug'),
    new CancelledFailure('CANCELLED'),
  ]) {
    await expect(inbound?.execute?.({} as never, () => Promise.reject(error))).rejects.toBeDefined()
  }
  expect(lines).toEqual([
    ['warn', 'the database is away'],
    ['warn', 'later'],
    ['error', 'an unexpected error'],
  ])
})
