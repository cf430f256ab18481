import { describe, expect, test } from 'vitest'
import { releaseFile, verifyRelease, type MeasurementRelease } from './index.js'
import { register, releaseKeyOf, sampleBuild, sampleRelease, signedFile } from './testing/sampleRelease.js'

const publicKey = releaseKeyOf(7)
const refused = (code: string) => expect.objectContaining({ code })
const text = (file: Uint8Array) => new TextDecoder().decode(file)
const bytes = (json: string) => new TextEncoder().encode(json)
const good = text(signedFile(sampleRelease))
const [coordinator] = sampleRelease.coordinators as [MeasurementRelease['coordinators'][0]]

/** A list with other content than the type allows, truly signed. */
const list = (changes: object) => signedFile({ ...sampleRelease, ...changes })
const build = (changes: object) => list({ enclaves: [{ ...sampleBuild, ...changes }] })
const without = (object: object, member: string) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== member))

describe('a release list', () => {
  test('is accepted when the configured key signed it', () => {
    expect(verifyRelease(signedFile(sampleRelease), publicKey)).toEqual(sampleRelease)
    const full = { ...sampleBuild, bundleSha256: `0x${'88'.repeat(32)}` as const, sourceCommit: 'ab'.repeat(20) }
    const fuller = { ...sampleRelease, expiresAt: '2027-01-01T00:00:00Z', enclaves: [full] }
    expect(verifyRelease(signedFile(fuller), publicKey)).toEqual(fuller)
  })

  test.each<[string, Uint8Array]>([
    ['another key’s', signedFile(sampleRelease, 8)],
    ['of another version than was signed', bytes(good.replace('"version":3', '"version":4'))],
    ['with another key provider than was signed', bytes(good.replace('57'.repeat(91), '58'.repeat(91)))],
    ['with a signature of zeros', bytes(good.replace(/"value":"0x[0-9a-f]{128}"/, `"value":"0x${'00'.repeat(64)}"`))],
  ])('%s is refused with release_signature', (_, file) => {
    expect(() => verifyRelease(file, publicKey)).toThrow(refused('release_signature'))
  })

  test('is refused under another key, and under what is no key', () => {
    for (const key of [releaseKeyOf(8), '0x', `0x${'ff'.repeat(32)}`] as const) {
      expect(() => verifyRelease(signedFile(sampleRelease), key)).toThrow(refused('release_signature'))
    }
  })

  test.each<[string, Uint8Array]>([
    ['nothing', bytes('')],
    ['null', bytes('null')],
    ['no text', Uint8Array.of(0xff, 0xfe)],
    ['another layout', bytes(JSON.stringify(JSON.parse(good), null, 2))],
    ['a line end', bytes(`${good}\n`)],
    ['no signature', bytes(JSON.stringify({ release: sampleRelease }))],
    ['a member beside the list', releaseFile({ ...JSON.parse(good), extra: 1 })],
    ['an unknown member', list({ extra: 1 })],
    ['a member twice', bytes(good.replace('"version":3', '"version":3,"version":3'))],
    ['another format', list({ format: 'perigee-release/2' })],
    ['no format', signedFile(without(sampleRelease, 'format') as MeasurementRelease)],
    ['no version', signedFile(without(sampleRelease, 'version') as MeasurementRelease)],
    ['version 0', list({ version: 0 })],
    ['a version in words', list({ version: '3' })],
    ['no date', list({ issuedAt: 'yesterday' })],
    ['two builds of the same measurements', list({ enclaves: [sampleBuild, { ...sampleBuild, name: 'b', appId: `0x${'59'.repeat(20)}` }] })],
    ['two builds of one name', list({ enclaves: [sampleBuild, { ...sampleBuild, mrTd: register('99') }] })],
    ['two coordinators of the same measurement and host data', list({ coordinators: [coordinator, { ...coordinator, name: 'd' }] })],
    ['two coordinators of one name', list({ coordinators: [coordinator, { ...coordinator, measurement: register('99') }] })],
    ['a coordinator of no minimum TCB', list({ coordinators: [without(coordinator, 'minTcb')] })],
    ['a coordinator of no VMPL', list({ coordinators: [without(coordinator, 'vmpl')] })],
    ...Object.keys(sampleBuild).map((name): [string, Uint8Array] => [`a build without ${name}`, list({ enclaves: [without(sampleBuild, name)] })]),
    ['a build with an unknown member', build({ extra: 1 })],
    ['a build with RTMR3', build({ rtmr3: register('55') })],
    ['a build with a short register', build({ mrTd: '0x11' })],
    ['a build in capitals', build({ mrTd: register('AA') })],
    ['a key provider without id', build({ keyProvider: { name: 'kms', id: '0x' } })],
    ['a key provider that is none', build({ keyProvider: { name: 'none', id: '0x00' } })],
    ['a key provider on one machine', build({ keyProvider: { name: 'local-sgx', id: '0x00' } })],
    ['a simulated key provider of a real build', build({ keyProvider: { name: 'simulated', id: '0x00' } })],
    ['a commit that is none', build({ sourceCommit: 'main' })],
  ])('with %s is refused with release_invalid', (_, file) => {
    expect(() => verifyRelease(file, publicKey)).toThrow(refused('release_invalid'))
  }) // prettier-ignore
})
