import { ed25519 } from '@noble/curves/ed25519'
import { describe, expect, test } from 'vitest'
import { toHex, type Hex } from '../bytes/index.js'
import type { SnpVerdict } from '../snp/index.js'
import {
  checkCoordinatorBuild,
  checkEnclaveBuild,
  composeHashOf,
  releaseBytes,
  replayRtmr3,
  verifyRelease,
  type MeasurementRelease,
} from './index.js'

const register = (byte: string): Hex => `0x${byte.repeat(48)}`
const build = { name: 'a', simulated: false, mrTd: register('11'), rtmr0: register('22'), rtmr1: register('33'), rtmr2: register('44') } // prettier-ignore
const coordinator = {
  name: 'c',
  simulated: false,
  measurement: register('66'),
  minTcb: { bootloader: 4, tee: 0, snp: 23, microcode: 213 },
  vmpl: 1,
}
const { minTcb: _, ...withoutTcb } = coordinator
const { vmpl: __, ...withoutVmpl } = coordinator
const release: MeasurementRelease = {
  version: 1,
  issuedAt: '2026-11-15T00:00:00Z',
  enclaves: [{ ...build, rtmr3: register('55') }],
  coordinators: [coordinator],
}
const privateKey = new Uint8Array(32).fill(7)
const publicKey = toHex(ed25519.getPublicKey(privateKey))
const sign = (content: MeasurementRelease, key = privateKey) => ({
  release: content,
  signature: { algorithm: 'ed25519', value: toHex(ed25519.sign(releaseBytes(content), key)) },
})
const refused = (code: string) => expect.objectContaining({ code })

describe('a release', () => {
  test('is accepted when the configured key signed it, whatever the layout of the file', () => {
    expect(verifyRelease(sign(release), publicKey)).toEqual(release)
    expect(verifyRelease(JSON.parse(JSON.stringify(sign(release), null, 8)), publicKey)).toEqual(release)
  })

  test.each<[string, unknown, Hex]>([
    ['another key’s', sign(release, new Uint8Array(32).fill(8)), publicKey],
    ['checked under another key', sign(release), toHex(ed25519.getPublicKey(new Uint8Array(32).fill(8)))],
    ['checked under no key', sign(release), '0x'],
    ['with a build more', { ...sign(release), release: { ...release, enclaves: [...release.enclaves, { ...build, rtmr3: register('77') }] } }, publicKey], // prettier-ignore
    ['with a build that names neither RTMR3 nor a compose hash', sign({ ...release, enclaves: [build] }), publicKey],
    ['with both', sign({ ...release, enclaves: [{ ...build, rtmr3: register('55'), composeHash: `0x${'88'.repeat(32)}` }] }), publicKey], // prettier-ignore
    ['unsigned', { release }, publicKey],
    ['with unknown members', { ...sign(release), extra: 1 }, publicKey],
    ['with a coordinator of no minimum TCB', sign({ ...release, coordinators: [withoutTcb as typeof coordinator] }), publicKey], // prettier-ignore
    ['with a coordinator of no VMPL', sign({ ...release, coordinators: [withoutVmpl as typeof coordinator] }), publicKey], // prettier-ignore
    ['of another version', sign({ ...release, version: 2 as 1 }), publicKey],
    ['nothing', null, publicKey],
  ])('%s is refused', (_, input, key) => {
    expect(() => verifyRelease(input, key)).toThrow(refused('release_invalid'))
  })
})

describe('builds', () => {
  const registers = { ...build, rtmr3: register('55') }
  test('are known by all registers together', () => {
    expect(checkEnclaveBuild(registers, null, release).name).toBe('a')
    for (const name of ['mrTd', 'rtmr0', 'rtmr1', 'rtmr2', 'rtmr3'] as const) {
      const other = { ...registers, [name]: register('99') }
      expect(() => checkEnclaveBuild(other, null, release)).toThrow(refused('measurement_unknown'))
    }
    expect(() => checkEnclaveBuild(registers, null, { ...release, enclaves: [] })).toThrow(
      refused('measurement_unknown'),
    )
  })

  test('of the coordinator are known by their launch measurement, and believed from a minimum TCB and one VMPL on', () => {
    const tcb = { bootloader: 4, tee: 0, snp: 23, microcode: 213 }
    const verdict = (changes: object) =>
      ({ measurement: register('66'), vmpl: 1, reportedTcb: tcb, committedTcb: tcb, launchTcb: tcb, ...changes }) as SnpVerdict // prettier-ignore
    expect(checkCoordinatorBuild(verdict({}), release).name).toBe('c')
    for (const [code, changes] of [
      ['measurement_unknown', { measurement: register('67') }],
      ['tcb_not_allowed', { reportedTcb: { ...tcb, microcode: 212 } }],
      ['tcb_not_allowed', { committedTcb: { ...tcb, snp: 22 } }],
      ['tcb_not_allowed', { launchTcb: { ...tcb, bootloader: 3 } }],
      ['platform_not_allowed', { vmpl: 0 }],
    ] as const) {
      expect(() => checkCoordinatorBuild(verdict(changes), release)).toThrow(refused(code))
    }
  })
})

describe('run-time events', () => {
  const event = (name: string, payload = '') => ({ event: name, payload })
  test('an empty log leaves the register at zero, and every change of the log changes it', () => {
    expect(replayRtmr3([])).toBe(register('00'))
    const log = [event('a', '01'), event('b')]
    const others = [
      [...log].reverse(),
      [event('a', '02'), event('b')],
      [event('a', '01')],
      [event('a:', '01'), event('b')],
    ]
    expect(new Set([log, ...others].map(replayRtmr3)).size).toBe(5)
  })

  test('the compose hash counts only from the boot, once', () => {
    const hash = event('compose-hash', 'ab'.repeat(32))
    const ready = event('system-ready')
    expect(composeHashOf([hash, ready, event('compose-hash', 'cd'.repeat(32))])).toBe(`0x${'ab'.repeat(32)}`)
    for (const log of [[], [hash], [ready, hash], [hash, hash, ready]]) {
      expect(() => composeHashOf(log)).toThrow(refused('measurement_unknown'))
    }
  })
})
