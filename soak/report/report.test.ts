import { expect, test, vi } from 'vitest'
import { commandOf, parseArguments, type SoakOptions } from '../parseArguments.js'
import { measureAfterFaults } from './afterFaults.js'
import { measureRecovery } from './recovery.js'

function parsed(...args: string[]): SoakOptions {
  return parseArguments(args, 0)
}

test('recovery is the first success of a request that started after the kill', () => {
  const events = [
    { at: 10_000, seconds: 0, kind: 'kill', target: 'worker-2', backMs: 3_000 },
    { at: 40_000, seconds: 0, kind: 'kill', target: 'worker', backMs: 4_000 },
    { at: 80_000, seconds: 0, kind: 'kill', target: 'identity-provider', backMs: 2_000 },
  ]
  const signing = [
    { from: 9_900, to: 10_050, status: 200 }, // started before
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

test('every slow or refused request is assigned to the fault before it', () => {
  const events = [
    { at: 10_000, seconds: 0, kind: 'restart-everything' },
    { at: 20_000, seconds: 0, kind: 'kill', target: 'api-2' },
  ]
  const attempts = [
    { from: 9_000, to: 9_100, status: 200 },
    { from: 11_000, to: 11_001, status: 502 },
    { from: 19_000, to: 20_100, status: 0 },
  ]
  const signature = {
    user: 0,
    wallet: '0x',
    digest: '0x',
    txHash: '0x',
    kind: 'transaction',
    signedHash: '0x',
    signature: '0x',
    slug: '',
    attempts: 2,
  } as const
  const acknowledged = [{ ...signature, at: new Date(15_000).toISOString(), ms: 4_000 }]
  expect(measureAfterFaults(events, attempts, acknowledged)).toEqual([
    { fault: 'kill api', times: 1, p50Ms: null, p95Ms: null, refused: { 0: 1 } },
    { fault: 'restart-everything', times: 1, p50Ms: 4_000, p95Ms: 4_000, refused: { 502: 1 } },
  ])
})

test('the command of a report gives the same options back', () => {
  const options = parsed('--profile', 'long', '--seed', '7', '--minutes', '30')
  const again = parsed(...commandOf(options).split(' ').slice(4))
  expect({ ...again, rate: 0 }).toEqual({ ...options, rate: 0 })
  expect(again.rate).toBeCloseTo(options.rate, 1)
})

test('a profile sets the other options, and each can be given', () => {
  expect(parsed()).toMatchObject({
    profile: 'short',
    signatures: 60,
    rate: 1.2,
    kills: 9,
    points: 2,
    recoverySeconds: 10,
  })
  expect(parsed('--profile', 'long', '--kills', '3')).toMatchObject({ profile: 'long', signatures: 10_000, kills: 3 })
  expect(parsed('--failpoints')).toMatchObject({ points: null, runs: 3 })
  expect(parsed('--signatures', '120', '--minutes', '1').rate).toBe(2)
})

test.each([
  ['--signatures', 'many'],
  ['--profile', 'endless'],
  ['--kills', '-1'],
  ['--unknown'],
  ['--rate', '1', '--minutes', '1'],
])('refuses %s %s', (...args) => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`)
  })
  expect(() => parseArguments(args, 0)).toThrow('exit 2')
  expect(said).toHaveBeenLastCalledWith('See: npm run soak -- --help\n')
  said.mockRestore()
  exit.mockRestore()
})
