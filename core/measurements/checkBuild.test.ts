import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fromHex } from '../bytes/index.js'
import { bootLog } from '../simulation/index.js'
import type { SnpVerdict } from '../snp/index.js'
import { parseQuote } from '../tdx/index.js'
import {
  checkCoordinatorBuild,
  checkEnclaveBuild,
  readBootLog,
  replayRtmr3,
  type EnclaveBuild,
  type MeasurementRelease,
  type RuntimeEvent,
} from './index.js'
import { developmentProviders, hostileLogs } from './testing/bootLogs.js'
import { register, sampleBuild, sampleRelease } from './testing/sampleRelease.js'
import { fixturesDir } from '../tdx/testing/fixtures.js'

const refused = (code: string) => expect.objectContaining({ code })
const machine = (log: RuntimeEvent[]) => ({ ...sampleBuild, rtmr3: replayRtmr3(log) })
const log = bootLog(sampleBuild)

describe('an enclave build', () => {
  test('is known by all registers together, the compose hash, the app id and the key service', () => {
    expect(checkEnclaveBuild(machine(log), log, sampleRelease).name).toBe('a')
    for (const name of ['mrTd', 'rtmr0', 'rtmr1', 'rtmr2'] as const) {
      const other = { ...machine(log), [name]: register('99') }
      expect(() => checkEnclaveBuild(other, log, sampleRelease)).toThrow(refused('measurement_unknown'))
    }
    const empty = { ...sampleRelease, enclaves: [] }
    expect(() => checkEnclaveBuild(machine(log), log, empty)).toThrow(refused('measurement_unknown'))
  })

  test('is refused when its log does not replay to the quoted RTMR3', () => {
    const other = { ...machine(log), rtmr3: register('99') }
    expect(() => checkEnclaveBuild(other, log, sampleRelease)).toThrow(refused('event_log_invalid'))
    expect(() => checkEnclaveBuild(machine(log), log.slice(1), sampleRelease)).toThrow(refused('event_log_invalid'))
  })

  test.each(hostileLogs)('with %s is refused with %s', (_, code, change) => {
    const hostile = change(log)
    expect(() => checkEnclaveBuild(machine(hostile), hostile, sampleRelease)).toThrow(refused(code))
  })

  test.each(developmentProviders)('with keys from %s is refused, unless it is simulated', (_, change) => {
    const hostile = change(log)
    expect(() => checkEnclaveBuild(machine(hostile), hostile, sampleRelease)).toThrow(
      refused('key_provider_development'),
    )
    const simulated = { ...sampleRelease, enclaves: [{ ...sampleBuild, simulated: true }] }
    expect(() => checkEnclaveBuild(machine(hostile), hostile, simulated)).toThrow(refused('key_provider_mismatch'))
  })

  test('may measure anything after its boot', () => {
    const busy = [...log, ...log]
    expect(checkEnclaveBuild(machine(busy), busy, sampleRelease).name).toBe('a')
  })
})

const fixtures = fixturesDir ?? 'absent'
const recorded = join(fixtures, 'dstack', 'get-quote.json')
describe.skipIf(!existsSync(recorded))('what dstack’s guest agent answered (fixtures)', () => {
  const answer = JSON.parse(existsSync(recorded) ? readFileSync(recorded, 'utf8') : '{}') as Record<string, string>
  const events = (JSON.parse(answer.event_log ?? '[]') as { imr: number; event: string; event_payload: string }[])
    .filter(({ imr }) => imr === 3)
    .map(({ event, event_payload }) => ({ event, payload: event_payload }))
  const facts = () => readBootLog(events)
  const quoted = () => parseQuote(fromHex(`0x${answer.quote}`))
  const published = (changes: Partial<EnclaveBuild> = {}): MeasurementRelease => {
    const { mrTd, rtmr0, rtmr1, rtmr2 } = quoted()
    const build = { name: 'recorded', simulated: false, mrTd, rtmr0, rtmr1, rtmr2, ...facts(), ...changes }
    return { ...sampleRelease, enclaves: [build as EnclaveBuild] }
  }

  test('is known by compose hash, app id and the public key of its key service', () => {
    expect(facts()).toMatchObject({
      composeHash: '0xc143116fef3940e7f776bfc0919c256232ae5338a6e948c96b711e0b2383483a',
      appId: '0x5bb4ff9a3837357f19dc176407a5709c62eb6c56',
      keyProvider: { name: 'kms', id: expect.stringMatching(/^0x3059301306072a8648ce3d0201/) as string },
    })
    expect(checkEnclaveBuild(quoted(), events, published()).name).toBe('recorded')
  })

  test('is refused under another list', () => {
    for (const [code, changes] of [
      ['measurement_unknown', { composeHash: `0x${'00'.repeat(32)}` }],
      ['app_id_mismatch', { appId: `0x${'00'.repeat(20)}` }],
      ['key_provider_mismatch', { keyProvider: { name: 'kms', id: `0x${'00'.repeat(91)}` } }],
    ] as const) {
      expect(() => checkEnclaveBuild(quoted(), events, published(changes))).toThrow(refused(code))
    }
  })

  test.each(hostileLogs)('is refused with %s: %s', (_, code, change) => {
    const hostile = change(events)
    expect(() => checkEnclaveBuild(quoted(), hostile, published())).toThrow(refused('event_log_invalid'))
    const booted = { ...quoted(), rtmr3: replayRtmr3(hostile) }
    expect(() => checkEnclaveBuild(booted, hostile, published())).toThrow(refused(code))
  })
})

test('coordinator builds are known by launch measurement and host data, and believed from a minimum TCB and one VMPL on', () => {
  const tcb = { bootloader: 4, tee: 0, snp: 23, microcode: 213 }
  const launch = { measurement: register('66'), hostData: `0x${'67'.repeat(32)}`, vmpl: 1 }
  const verdict = (changes: object) =>
    ({ ...launch, reportedTcb: tcb, committedTcb: tcb, launchTcb: tcb, ...changes }) as SnpVerdict
  expect(checkCoordinatorBuild(verdict({}), sampleRelease).name).toBe('c')
  for (const [code, changes] of [
    ['measurement_unknown', { measurement: register('67') }],
    ['measurement_unknown', { hostData: `0x${'00'.repeat(32)}` }],
    ['tcb_not_allowed', { reportedTcb: { ...tcb, microcode: 212 } }],
    ['tcb_not_allowed', { committedTcb: { ...tcb, snp: 22 } }],
    ['tcb_not_allowed', { launchTcb: { ...tcb, bootloader: 3 } }],
    ['platform_not_allowed', { vmpl: 0 }],
  ] as const) {
    expect(() => checkCoordinatorBuild(verdict(changes), sampleRelease)).toThrow(refused(code))
  }
})

test('an empty log leaves RTMR3 at zero, and every change of the log changes it', () => {
  const event = (name: string, payload = '') => ({ event: name, payload })
  expect(replayRtmr3([])).toBe(register('00'))
  const two = [event('a', '01'), event('b')]
  const others = [
    [...two].reverse(),
    [event('a', '02'), event('b')],
    [event('a', '01')],
    [event('a:', '01'), event('b')],
  ]
  expect(new Set([two, ...others].map(replayRtmr3)).size).toBe(5)
})
