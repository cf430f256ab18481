import { QueryFailedError } from 'typeorm'
import { expect, test } from 'vitest'
import { createLogger } from './createLogger.js'

test('the log of a failed query has its words, and none of its values', () => {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => void lines.push(line) })
  const away = Object.assign(new Error('canceling statement due to statement timeout'), { detail: 'secret' })
  const error = new QueryFailedError('INSERT INTO transactions …', ['secret signature'], away)
  log.error({ err: error }, 'an unexpected error')
  log.error({ err: new Error('outer', { cause: error }) }, 'an unexpected error')
  log.warn({ temporal: { sequence: 7, error } }, 'a line of Temporal’s logger')
  log.warn({ temporal: { error: new Error('the RPC hangs') } }, 'a line of Temporal’s logger')
  for (const line of lines.slice(0, 3)) expect(line).toContain('statement timeout')
  expect(lines[2]).toContain('"sequence":7')
  expect(lines[3]).toContain('the RPC hangs')
  expect(lines.join()).not.toContain('secret')
})
