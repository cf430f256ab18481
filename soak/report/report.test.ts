import { expect, test } from 'vitest'
import { parseArguments, WrongUsage } from '../parseArguments.js'
import { measureRecovery } from './recovery.js'
import { commandOf, replaceSection } from './writeReport.js'

test('recovery is the first success of a request that began after the kill', () => {
  const events = [
    { at: 10_000, seconds: 0, kind: 'kill', target: 'worker-2', backMs: 3_000 },
    { at: 40_000, seconds: 0, kind: 'kill', target: 'worker', backMs: 4_000 },
    { at: 80_000, seconds: 0, kind: 'kill', target: 'identity-provider', backMs: 2_000 },
  ]
  const signing = [
    { from: 9_900, to: 10_050, status: 200 }, // began before
    { from: 10_100, to: 11_000, status: 503 },
    { from: 11_500, to: 12_000, status: 200 },
    { from: 40_000, to: 40_500, status: 200 },
    { from: 80_000, to: 80_100, status: 200 },
  ]
  const signIns = [{ from: 81_000, to: 82_500, status: 200 }]
  const [provider, worker] = measureRecovery(events, signing, signIns)
  expect(worker).toMatchObject({
    component: 'worker',
    kills: 2,
    single: 2,
    p50Ms: 2_000,
    maxMs: 2_000,
    backMaxMs: 4_000,
  })
  expect(provider).toMatchObject({ component: 'identity-provider', maxMs: 2_500 })
})

test('a kill beside another fault does not count as a single one', () => {
  const events = [
    { at: 10_000, seconds: 0, kind: 'kill', target: 'api', backMs: 3_000 },
    { at: 10_500, seconds: 0, kind: 'kill', target: 'postgres', backMs: 3_000 },
  ]
  const signing = [{ from: 30_000, to: 31_000, status: 200 }]
  expect(measureRecovery(events, signing, []).map(({ single }) => single)).toEqual([0, 0])
})

test('a report replaces its own section and nothing else', () => {
  const page = replaceSection('# Title\n\nwords\n', 'soak-long', 'first')
  expect(page).toContain('words')
  const again = replaceSection(`${page}\nafter\n`, 'soak-long', 'second')
  expect(again).not.toContain('first')
  expect(again).toMatch(/words[^]*second[^]*after/)
})

test('the command of a report gives the same options back', () => {
  const options = parseArguments(['--profile', 'long', '--seed', '7', '--minutes', '30'], 0)
  const again = parseArguments(commandOf(options).split(' ').slice(4), 0)
  expect({ ...again, rate: 0 }).toEqual({ ...options, rate: 0 })
  expect(again.rate).toBeCloseTo(options.rate, 1)
})

test.each([
  ['--signatures', 'many'],
  ['--profile', 'endless'],
  ['--kills', '-1'],
  ['--unknown'],
  ['--rate', '1', '--minutes', '1'],
])('refuses %s %s', (...args) => expect(() => parseArguments(args, 0)).toThrow(WrongUsage))
