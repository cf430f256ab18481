import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cidOf, type Hex } from '@perigee/core'
import { verifyRelease, type MeasurementRelease } from '@perigee/core/measurements'
import { simulatedList } from '../../core/receipt/testing/simulatedReleases.js'
import { components, fund } from '../../tests/harness/index.js'
import { startReleases, type ReleasesRig } from '../../tests/rigs/publishing/startReleases.js'
import { readList } from './listFiles.js'

const because = ['--reason', 'because']
const [enclave] = simulatedList().enclaves as [MeasurementRelease['enclaves'][number]]
const [coordinator] = simulatedList().coordinators as [MeasurementRelease['coordinators'][number]]
let rig: ReleasesRig

async function pinned(cid: string): Promise<boolean> {
  const url = `${components().ipfsApiUrl}/api/v0/pin/ls?arg=${cid}&type=recursive`
  return (await fetch(url, { method: 'POST' })).ok
}
const ownerKey = () => readFileSync(rig.path('owner.key'), 'utf8') as Hex
const audit = () =>
  rig.database.query<{ kind: string; facts: Record<string, unknown> }[]>(
    'SELECT kind, facts FROM audit_events ORDER BY sequence',
  )

describe('a release, from its facts to the chain', () => {
  beforeAll(async () => void (rig = await startReleases()))
  afterAll(() => rig.close())

  test('the first list is made from build facts and signed with the release key', async () => {
    const { composeHash: _, keyProvider: __, ...facts } = enclave
    const compose = { key_provider: 'kms', key_provider_id: '3059aa', name: 'perigee' }
    const made = await rig.release([
      ...['make', '--out', rig.path('next.json'), '--app-compose', rig.write('app-compose.json', compose)],
      ...['--enclave', rig.write('enclave.json', { ...facts, name: 'one', simulated: false })],
      ...['--coordinator', rig.write('coordinator.json', coordinator)],
    ])
    expect(made).toMatchObject({ code: 0, json: { version: 1, builds: ['one', coordinator.name] } })
    const out = ['--key', rig.path('release.key'), '--out', rig.path('one.json')]
    const signed = await rig.release(['sign', rig.path('next.json'), ...out])
    expect(signed).toMatchObject({ code: 0, json: { publicKey: rig.env.MEASUREMENTS_PUBLIC_KEY } })
    const list = verifyRelease(readFileSync(rig.path('one.json')), rig.env.MEASUREMENTS_PUBLIC_KEY)
    const composeHash = `0x${createHash('sha256').update(JSON.stringify(compose)).digest('hex')}`
    expect(list.enclaves).toMatchObject([{ composeHash, keyProvider: { name: 'kms', id: '0x3059aa' } }])
  })

  test('announce pins it, sends the owner’s transaction, installs it and leaves a line in the audit log', async () => {
    const key = ['--owner-key', rig.path('owner.key')]
    const outcome = await rig.release(['announce', rig.path('one.json'), ...key, ...because, '--install'])
    const file = readFileSync(rig.path('one.json'))
    const cid = cidOf(file)
    expect(outcome).toMatchObject({
      code: 0,
      json: { version: 1, cid, announced: { blockNumber: expect.any(Number) } },
    })
    expect(await rig.releases.announced(1)).toMatchObject({ cid, withdrawn: false })
    expect(await pinned(cid)).toBe(true)
    expect(readFileSync(rig.path('measurements.json'))).toEqual(file)
    const facts = { version: 1, cid, operator: 'ops-1', reason: 'because' }
    expect(await audit()).toMatchObject([{ kind: 'operator_release_announced', facts }])
    expect(await rig.database.query('SELECT cid FROM pins')).toEqual([{ cid }]) // repairPins keeps it there
    const secrets = [rig.path('owner.key'), rig.path('release.key')].map((path) => readFileSync(path, 'utf8'))
    for (const secret of secrets) expect(outcome.text).not.toContain(secret.slice(2))
  })

  test('announcing it again changes nothing', async () => {
    const again = await rig.release(['announce', rig.path('one.json'), ...because])
    expect(again).toMatchObject({ code: 0, json: { announced: null } })
    expect(await rig.releases.latestVersion()).toBe(1)
    expect(await audit()).toHaveLength(1)
  })

  test('the next list continues the newest one, without the builds that are left out', async () => {
    const added = rig.write('two.json', { ...enclave, name: 'two' })
    const options = ['--without', 'one', '--enclave', added, '--out', rig.path('next.json')]
    expect(await rig.release(['make', ...options])).toMatchObject({ code: 0, json: { version: 2, builds: ['two', coordinator.name] } }) // prettier-ignore
    await rig.release([
      'sign',
      rig.path('next.json'),
      '--key',
      rig.path('release.key'),
      '--out',
      rig.path('list2.json'),
    ])
    const printed = await rig.release(['announce', rig.path('list2.json'), '--print-call', ...because])
    const call = { to: rig.contract, data: expect.stringMatching(/^0x[0-9a-f]+$/) as string }
    expect(printed).toMatchObject({ code: 3, json: { call } })
    expect(await rig.releases.latestVersion()).toBe(1) // a multisig would send it
    const list = readList(rig.path('list2.json'), rig.env.MEASUREMENTS_PUBLIC_KEY)
    await rig.releases.send(rig.releases.announceCall(list), ownerKey())
    const announced = async () => (await audit()).filter(({ facts }) => facts['version'] === 2)
    expect(await announced()).toEqual([])
    for (const _ of [1, 2]) expect((await rig.release(['announce', rig.path('list2.json'), ...because])).code).toBe(0)
    expect(await announced()).toMatchObject([{ kind: 'operator_release_announced' }])
    expect(await rig.releases.versionInForce()).toBe(2)
  })

  test('show finds a service that uses another list than the one in force, and a list that a node lost', async () => {
    const before = await rig.release(['show'])
    expect(before).toMatchObject({ code: 1, json: { inForce: 2, mismatches: [{ kind: 'not_in_force' }] } })
    writeFileSync(rig.path('measurements.json'), readFileSync(rig.path('list2.json')))
    const after = await rig.release(['show'])
    expect(after).toMatchObject({ code: 0, json: { mismatches: [], lists: [{ version: 1 }, { version: 2 }] } })
    const { cid } = (await rig.releases.announced(1))!
    await fetch(`${components().ipfsApiUrl}/api/v0/pin/rm?arg=${cid}`, { method: 'POST' })
    expect(await rig.release(['show'])).toMatchObject({ code: 1, json: { mismatches: [{ kind: 'ipfs_missing' }] } })
    expect((await rig.release(['announce', rig.path('list2.json'), ...because])).code).toBe(0)
  })

  test('withdraw takes a list out of force, once, and show says so', async () => {
    const owner = { RELEASES_OWNER_KEY: ownerKey() }
    expect(await rig.release(['withdraw', '2', ...because], owner)).toMatchObject({ code: 0, json: { inForce: 1 } })
    expect(await rig.release(['withdraw', '2', ...because], owner)).toMatchObject({
      code: 0,
      json: { withdrawn: null },
    })
    const shown = await rig.release(['show'])
    expect(shown.json['mismatches']).toContainEqual({ kind: 'withdrawn', detail: 'the service uses list 2' })
    expect((await audit()).map(({ kind }) => kind)).toEqual(['operator_release_announced', 'operator_release_announced', 'operator_release_withdrawn']) // prettier-ignore

    await rig.releases.send(rig.releases.withdrawCall(1), ownerKey()) // as a multisig does after --print-call
    for (const _ of [1, 2]) expect((await rig.release(['withdraw', '1', ...because])).code).toBe(0)
    expect((await audit()).slice(3)).toMatchObject([{ kind: 'operator_release_withdrawn', facts: { version: 1 } }])
  })
})

describe('what is refused', () => {
  beforeAll(async () => {
    rig = await startReleases()
    const key = ['--owner-key', rig.path('owner.key')]
    for (const version of [1, 2]) {
      const file = rig.writeSigned(`list${version}.json`, simulatedList(version))
      expect((await rig.release(['announce', file, ...key, ...because, '--install'])).code).toBe(0)
    }
  })
  afterAll(() => rig.close())

  const state = async () => ({
    latest: await rig.releases.latestVersion(),
    inForce: await rig.releases.versionInForce(),
    audit: (await audit()).length,
    pins: await rig.database.query('SELECT cid FROM pins ORDER BY cid'),
    installed: readFileSync(rig.path('measurements.json'), 'utf8'),
  })
  let before: Awaited<ReturnType<typeof state>>
  beforeEach(async () => void (before = await state()))

  const withOwner = (...args: string[]) => [...args, '--owner-key', rig.path('owner.key'), ...because, '--install']
  const announce = (list: MeasurementRelease, key?: Uint8Array) => withOwner('announce', rig.writeSigned('bad.json', list, key)) // prettier-ignore
  const text = (change: (text: string) => string) => {
    const path = rig.writeSigned('bad.json', simulatedList(3))
    return withOwner('announce', rig.write('bad.json', change(readFileSync(path, 'utf8'))))
  }
  const asStranger = async () => {
    const key = generatePrivateKey()
    await fund(privateKeyToAccount(key).address)
    const list = rig.writeSigned('good.json', simulatedList(3))
    return ['announce', list, '--owner-key', rig.write('stranger.key', key), ...because, '--install']
  }
  const make = (entry: object) => ['make', '--out', rig.path('made.json'), '--enclave', rig.write('entry.json', entry)]
  const { appId: _, ...withoutAppId } = enclave
  test.each<[string, string, () => string[] | Promise<string[]>]>([
    ['a foreign signature', 'release_signature', () => announce(simulatedList(3), new Uint8Array(32).fill(1))],
    ['a list changed after it was signed', 'release_signature', () => text((list) => list.replace('simulated-enclave', 'simulated-enclavf'))],
    ['an unknown member', 'release_invalid', () => text((list) => list.replace('{"release"', '{"more":1,"release"'))],
    ['a missing member', 'release_invalid', () => text((list) => list.replace('"format":"perigee-release/1",', ''))],
    ['a member that stands twice', 'release_invalid', () => text((list) => list.replace('"version":3', '"version":2,"version":3'))],
    ['another layout than the canonical', 'release_invalid', () => text((list) => `${list}\n`)],
    ['two lists of one version', 'release_conflict', () => announce(simulatedList(2, { issuedAt: '2026-12-01T00:00:00Z' }))],
    ['a version that goes back', 'release_rollback', () => withOwner('announce', rig.path('list1.json'))],
    ['a version that leaves one out', 'release_invalid', () => announce(simulatedList(4))],
    ['an expired list', 'release_expired', () => announce(simulatedList(3, { expiresAt: '2026-01-01T00:00:00Z' }))],
    ['somebody who is not the owner', 'release_not_owner', asStranger],
    ['no owner’s key', 'invalid_request', () => ['announce', rig.writeSigned('good.json', simulatedList(3)), ...because]],
    ['withdrawing what was never announced', 'release_missing', () => ['withdraw', '3', '--owner-key', rig.path('owner.key'), ...because]],
    ['withdrawing as a stranger', 'release_not_owner', async () => ['withdraw', '1', ...(await asStranger()).slice(2, -1)]],
    ['a list made from an old one', 'release_rollback', () => [...make({ ...enclave, name: 'x' }), '--from', rig.path('list1.json')]],
    ['two builds of one name', 'release_invalid', () => make({ ...enclave, composeHash: `0x${'aa'.repeat(32)}` })],
    ['two builds of the same measurements', 'release_invalid', () => make({ ...enclave, name: 'x' })],
    ['a build without its app id', 'release_invalid', () => make({ ...withoutAppId, name: 'x' })],
    ['a build with an unknown member', 'release_invalid', () => make({ ...enclave, name: 'x', more: 1 })],
    ['leaving out what is not there', 'invalid_request', () => ['make', '--out', rig.path('made.json'), '--without', 'nobody']],
    ['signing with another key', 'release_signature', () => ['sign', rig.write('plain.json', simulatedList(3)), '--key', rig.write('other.key', `0x${'01'.repeat(32)}`), '--out', rig.path('signed.json')]],
  ])('%s: %s, and nothing changes', async (_title, code, args) => {
    const outcome = await rig.release(await args())
    expect({ code: outcome.code, error: outcome.json.error?.code }).toEqual({ code: 3, error: code })
    expect(await state()).toEqual(before)
    expect(outcome.text).not.toContain(readFileSync(rig.path('owner.key'), 'utf8').slice(2))
  }) // prettier-ignore
})
