import { expect, test, vi } from 'vitest'
import { createOpenApi } from '../../api/docs/createOpenApi.js'
import { documentedRoutes } from '../../api/testing/documentedRoutes.js'
import { commandOf, parseArguments } from '../parseArguments.js'
import { compareOthers } from './verdict/compareOthers.js'
import { readStolen } from './readStolen.js'
import { findProblems } from './verdict/findProblems.js'
import { exampleOf, readOperations } from './hostile/readOperations.js'
import type { HonestRequest } from './measureOthers.js'
import { parseProblem } from './verdict/parseProblem.js'

test('the attack is an option of the soak, which its command repeats', () => {
  const options = parseArguments(['--attack', '--rounds', '3'], 7)
  expect(options).toMatchObject({ attack: true, rounds: 3, users: 144, apis: 2, seed: 7 })
  expect(commandOf(options)).toBe('npm run soak -- --attack --rounds 3 --users 144 --seed 7')
  expect(parseArguments([], 7)).toMatchObject({ attack: false })
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`)
  })
  for (const wrong of [
    ['--attack', '--failpoints'],
    ['--attack', '--cluster'],
    ['--attack', '--rounds', '0'],
    ['--attack', '--users', '1'],
  ]) {
    expect(() => parseArguments(wrong, 7)).toThrow('exit 2')
  }
  said.mockRestore()
  exit.mockRestore()
})

test('every documented route is flooded, with a body where it takes one', () => {
  const routes = documentedRoutes()
  const api = createOpenApi(routes, { url: 'http://localhost', sessionCookie: 'x' })
  const operations = readOperations(JSON.stringify(api))
  expect(operations.map(({ id }) => id).sort()).toEqual(routes.map(({ operationId }) => operationId).sort())
  for (const { id, hasBody, takesKey, method } of operations) {
    const route = routes.find(({ operationId }) => operationId === id)
    expect([id, hasBody, takesKey, method]).toEqual([
      id,
      route?.body !== undefined,
      route?.idempotencyKey === true,
      route?.method.toUpperCase(),
    ])
  }
})

test('an example has the required members of its schema, and ends in a schema that contains itself', () => {
  const named = {
    Node: { type: 'object', required: ['next'], properties: { next: { $ref: '#/components/schemas/Node' } } },
  }
  expect(JSON.stringify(exampleOf({ $ref: '#/components/schemas/Node' }, named)).length).toBeLessThan(200)
  const schema = {
    type: 'object',
    required: ['a', 'b', 'c'],
    properties: {
      a: { type: 'string', pattern: '^0x[0-9a-f]{64}$' },
      b: { anyOf: [{ const: 'x' }, { type: 'null' }] },
      c: { type: 'array', minItems: 1, items: { type: 'integer', minimum: 3 } },
      d: { type: 'boolean' },
    },
  }
  expect(exampleOf(schema, {})).toEqual({ a: `0x${'11'.repeat(32)}`, b: 'x', c: [3] })
})

test.each([
  [200, '{"slug":"x"}', { code: '', share: null }],
  [429, '{"code":"rate_limited","facts":{"share":"sign"}}', { code: 'rate_limited', share: 'sign' }],
  [502, '<html>', { code: 'not a problem', share: null }],
])('reads the code and the share of a %i', (status, text, expected) => {
  expect(parseProblem(status, text)).toEqual(expected)
})

const requests = (operation: 'sign' | 'proof', ...times: number[]): HonestRequest[] =>
  times.map((ms) => ({ user: 0, operation, status: 200, code: '', share: null, ms }))

test('each round is compared with its own calm time, and the median decides', () => {
  const failed = { ...(requests('sign', 9_000)[0] as HonestRequest), status: 503 }
  const rounds = [
    { calm: requests('sign', 100), attack: [...requests('sign', 120), failed] },
    { calm: requests('sign', 200), attack: requests('sign', 300) },
    { calm: requests('sign', 100), attack: requests('sign', 900) },
  ]
  expect(compareOthers(rounds)[0]).toMatchObject({ operation: 'sign', calmMs: 100, attackMs: 300, times: 1.5 })
})

test('what the host took is read from the first line of /proc/stat', () => {
  expect(readStolen('cpu  4565024 317605 657658 2262422 25562 0 75198 191222 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n')).toBe(
    1912.22,
  )
  expect(readStolen('')).toBe(0)
  expect(readStolen()).toBeGreaterThanOrEqual(0)
})

const shares = ['user.perSecond', 'user.unsent', 'user.streams', 'session', 'entropy']
const refusals = shares.map((share) => ({
  by: 'x',
  operation: 'x',
  status: 429,
  code: 'x',
  share,
  hasRetryAfter: true,
  hasRateLimit: true,
  times: 1,
}))
const calm = [...requests('sign', 100), ...requests('proof', 100)]
const good = {
  others: compareOthers([{ calm, attack: [...requests('sign', 150), ...requests('proof', 150)] }]),
  violations: { sharesExceeded: [] },
  refusals,
  check: { counts: { leaks: 0 } as never, examples: {} },
}

test('a run in which every promise was kept has no problem', () => {
  expect(findProblems(good)).toEqual([])
})

test.each([
  ['slower', { others: compareOthers([{ calm, attack: [...requests('sign', 151), ...requests('proof', 1)] }]) }],
  ['not measured', { others: compareOthers([{ calm, attack: requests('sign', 100) }]) }],
  ['a count', { violations: { sharesExceeded: ['x'] } }],
  ['a count of the checker', { check: { counts: { leaks: 1 } as never, examples: {} } }],
  ['a share that the attack never used up', { refusals: refusals.slice(1) }],
])('is a problem: %s', (_what, change) => {
  expect(findProblems({ ...good, ...change })).toHaveLength(1)
})
