import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { remedies, remedyFor } from '../core/workflow/remedyFor.js'

/* Temporal's UI and `ops stuck` give a short remedy, the runbook a long one. */

const runbook = await readFile(new URL('./RUNBOOK.md', import.meta.url), 'utf8')
const table = runbook.split('## What to do\n\n')[1]?.split('\n\n')[0] ?? ''
const rows = table.split('\n').slice(2, -1) // without heading and "any"
const named = rows.flatMap((row) => {
  const [, codes = '', , , then = ''] = row.split('|').map((cell) => cell.trim())
  return [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => ({ code, then }))
})
/** Only the log knows more. */
const unspecific = ['internal_error', 'service_unavailable']

test('every code with a remedy is in the runbook, and the other way round', () => {
  expect([...Object.keys(remedies), ...unspecific].sort()).toEqual(named.map(({ code }) => code).sort())
})

test.each(named)('the runbook and the remedy of $code end with the same command', ({ code, then }) => {
  expect(remedyFor(code).then).toBe(then)
})

test('an unknown code sends the operator to the log', () => {
  expect(remedyFor('constructor')).toEqual(remedyFor(null))
})
