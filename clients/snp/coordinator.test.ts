import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromHex, toHex, type Hex, type UnixSeconds } from '@perigee/core'
import { encodeCoordinatorBinding, reportData } from '@perigee/core/binding'
import { EnvReader, parseHardwareTrust } from '@perigee/core/config'
import { mintSnpReport, simulatedDigest, type SnpReportToMint } from '@perigee/core/simulation'
import { vendorAnchors } from '@perigee/core/receipt'
import { verifySnpReport } from '@perigee/core/snp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSimulationPki, type SimulationPki } from '../../dev/pki/index.js'
import { createSimulatedRelease, simulatedRelease } from '../../core/simulation/testing/createSimulatedRelease.js'
import { encodePem } from '../../core/x509/testing/encodePem.js'
import { copyPki } from '../../tests/rigs/sharedPki.js'
import { parseCertificateTable } from './certificateTable.js'
import { createCoordinatorAttestor, type CoordinatorOptions } from './createCoordinatorAttestor.js'
import { createRequestKey } from './createRequestKey.js'
import { openSimulatedSnp } from './openSimulatedSnp.js'
import { openTsmPlatform } from './openTsmPlatform.js'
import { parseCoordinatorConfig } from './config.js'
import { certificateTable, createTsmKernel, guid, type TsmKernelOptions } from '../testing/createTsmKernel.js'

let dir: string
let pki: SimulationPki
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'perigee-coordinator-'))
  await copyPki(dir)
  pki = await createSimulationPki(dir)
}, 120_000)
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const identity = {
  service: 'https://api.example',
  requestKey: `0x02${'ab'.repeat(32)}` as Hex,
  publishers: [`0x${'12'.repeat(20)}` as Hex],
}
const nonce: Hex = `0x${'77'.repeat(32)}`
let clock: UnixSeconds = Math.floor(Date.now() / 1000)

function attestorWith(changes: Partial<CoordinatorOptions> = {}) {
  return createCoordinatorAttestor({
    platform: openSimulatedSnp(dir),
    identity,
    roots: [pki.snp.ark],
    releases: { current: () => simulatedRelease(new Date()) },
    allowDevelopmentRoot: true,
    now: () => clock,
    ...changes,
  })
}
const minting = (changes: Partial<SnpReportToMint>): CoordinatorOptions['platform'] => ({
  report: async (data) => ({
    report: mintSnpReport({ reportData: data, ...changes }, pki.snp.reportKeys),
    vek: pki.snp.vek,
    intermediate: pki.snp.ask,
  }),
})

describe('the coordinator’s attestation', () => {
  test('binds its identity and the caller’s nonce, and verifies for a stranger', async () => {
    const found = await attestorWith().fresh(nonce)
    const { vek, intermediate, report } = found
    const evidence = {
      report: fromHex(report),
      vek: fromHex(vek),
      intermediate: fromHex(intermediate),
      root: pki.snp.ark,
    }
    const verdict = await verifySnpReport(evidence, { now: clock })
    const expiresAt = clock + 7200
    expect(found.expiresAt).toBe(expiresAt)
    expect(verdict.reportData).toBe(reportData(encodeCoordinatorBinding({ identity, nonce, expiresAt })))
    expect(found).toMatchObject({ kind: 'sev-snp', simulated: true, nonce, identity, measurement: verdict.measurement })
  })

  test('is kept, renewed in the background at half its age, and never served too old', async () => {
    const attestor = attestorWith({ maxAgeSeconds: 100 })
    const [first, same] = await Promise.all([attestor.current(), attestor.current()])
    expect(same).toBe(first)
    clock += 49
    expect(await attestor.current()).toBe(first)
    clock += 2
    expect(await attestor.current()).toBe(first) // still good, and a new one is on its way
    await expect.poll(async () => (await attestor.current()).nonce).not.toBe(first.nonce)
    clock += 101
    expect((await attestor.current()).fetchedAt).toBe(clock)
  })

  test('expires at twice its age, and within a day', async () => {
    const lifeOf = async (maxAgeSeconds: number) => (await attestorWith({ maxAgeSeconds }).current()).expiresAt - clock
    expect(await lifeOf(600)).toBe(1200)
    expect(await lifeOf(86_400)).toBe(86_400)
  })

  test('keeps the old report while the platform fails, until it is too old', async () => {
    let broken = false
    const good = openSimulatedSnp(dir)
    const platform = { report: (data: Uint8Array) => (broken ? Promise.reject(new Error('no')) : good.report(data)) }
    const attestor = attestorWith({ platform, maxAgeSeconds: 100 })
    const first = await attestor.current()
    broken = true
    clock += 60
    expect(await attestor.current()).toBe(first)
    clock += 60
    await expect(attestor.current()).rejects.toThrow('no')
  })

  test.each<[string, string, () => Partial<CoordinatorOptions>]>([
    ['a development root in production', 'development_root', () => ({ allowDevelopmentRoot: false })],
    [
      'an unknown build',
      'measurement_unknown',
      () => ({ platform: minting({ measurement: simulatedDigest('other') }) }),
    ],
    ['a debug guest', 'policy_debug', () => ({ platform: minting({ policy: 0xb0000n }) })],
    ['a report over other data', 'binding_mismatch', () => ({ platform: minting({ reportData: new Uint8Array(64) }) })],
    ['another privilege level', 'platform_not_allowed', () => ({ platform: minting({ vmpl: 2 }) })],
    ['no certificates', 'collateral_unavailable', () => ({ platform: { report: async (data) => ({ report: mintSnpReport({ reportData: data }, pki.snp.reportKeys) }) } })], // prettier-ignore
    ['a root that is not ours', 'vek_chain', () => ({ roots: vendorAnchors().snpRoots.map((root) => fromHex(root)) })],
    ['no root at all', 'platform_not_allowed', () => ({ roots: [] })],
  ])('%s: %s', async (_, code, changes) => {
    const error: unknown = await attestorWith(changes())
      .fresh(nonce)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code })
  })

  test('tries each root, since each generation of chips has its own', async () => {
    const amdRoots = vendorAnchors().snpRoots.map((root) => fromHex(root))
    await expect(attestorWith({ roots: [...amdRoots, pki.snp.ark] }).fresh(nonce)).resolves.toBeDefined()
  })
})

describe('reports through configfs-tsm', () => {
  const table = () => certificateTable({ [guid.ark]: pki.snp.ark, [guid.ask]: pki.snp.ask, [guid.vcek]: pki.snp.vek })
  const mint = (data: Uint8Array, changes: Partial<SnpReportToMint> = {}) =>
    mintSnpReport({ reportData: data, ...changes }, pki.snp.reportKeys)
  function kernelWith(changes: Partial<TsmKernelOptions> = {}) {
    const entry = mkdtempSync(join(dir, 'tsm-'))
    const files = createTsmKernel({ report: mint, auxiliary: table(), ...changes })
    return { entry, files, platform: openTsmPlatform({ dir: entry, files }) }
  }

  test('come with the certificates of the aux blob, and leave no entry behind', async () => {
    const { platform, entry, files } = kernelWith()
    await expect(attestorWith({ platform }).fresh(nonce)).resolves.toMatchObject({ nonce, vek: toHex(pki.snp.vek) })
    expect(files.entries).toHaveLength(1)
    expect(readdirSync(entry)).toEqual([])
  })

  test('take certificates from configuration, as PEM too, when the host passes none on', async () => {
    const { platform } = kernelWith({ auxiliary: new Uint8Array(0) })
    const certificates = { vek: Buffer.from(encodePem(pki.snp.vek)), intermediate: pki.snp.ask }
    const found = await attestorWith({ platform, certificates }).fresh(nonce)
    expect(found.vek).toBe(toHex(pki.snp.vek))
  })

  test('are asked for again when another program wrote to the entry', async () => {
    let races = 2
    const { platform, files } = kernelWith({
      afterWrite: async (_, write) => {
        if (races-- > 0) await write(new Uint8Array(64).fill(9))
      },
    })
    await expect(attestorWith({ platform }).fresh(nonce)).resolves.toMatchObject({ nonce })
    expect(files.entries).toHaveLength(3)
  })

  test('are given up when the entry is never ours', async () => {
    const { platform, entry } = kernelWith({ afterWrite: (_, write) => write(new Uint8Array(64).fill(9)) })
    await expect(platform.report(new Uint8Array(64))).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(readdirSync(entry)).toEqual([])
  })

  test('can be asked of one privilege level', async () => {
    const { entry, files } = kernelWith()
    const platform = openTsmPlatform({ dir: entry, files, privlevel: 0 })
    await expect(platform.report(new Uint8Array(64))).resolves.toBeDefined()
  })

  test('are refused on a machine that is no SNP guest', async () => {
    const { platform, entry } = kernelWith({ provider: 'tdx_guest' })
    await expect(platform.report(new Uint8Array(64))).rejects.toMatchObject({ code: 'platform_not_allowed' })
    expect(readdirSync(entry)).toEqual([])
  })
})

describe('the certificate table', () => {
  test('keeps what it knows and passes over the rest', () => {
    const table = certificateTable({
      '00000000-1111-2222-3333-444444444444': Uint8Array.of(1),
      [guid.vlek]: Uint8Array.of(2),
    })
    expect(parseCertificateTable(table)).toEqual({ vlek: Uint8Array.of(2) })
    expect(parseCertificateTable(new Uint8Array(0))).toEqual({})
    expect(parseCertificateTable(new Uint8Array(24))).toEqual({})
  })

  test('of a hostile host is refused: outside the blob, empty, or endless', () => {
    const good = certificateTable({ [guid.vcek]: Uint8Array.of(1, 2, 3) })
    const broken = (offset: number, value: number) => {
      const bytes = Buffer.from(good)
      bytes.writeUInt32LE(value, offset)
      return bytes
    }
    for (const table of [broken(16, 0xffffffff), broken(20, 4), broken(20, 0), good.subarray(0, 24)]) {
      expect(() => parseCertificateTable(table)).toThrow(expect.objectContaining({ code: 'parse_failed' }))
    }
  })
})

describe('configuration', () => {
  test('opens a simulated coordinator from its folder', async () => {
    createSimulatedRelease(dir)
    const { publicKey } = createRequestKey()
    const env = new EnvReader({
      MOCK_ATTESTATION: 'true',
      SIMULATION_DIR: dir,
      PUBLIC_API_URL: 'http://localhost:8080',
      PUBLISHER_ADDRESSES: identity.publishers.join(','),
    })
    const config = parseCoordinatorConfig(env, parseHardwareTrust(env, readFileSync))
    env.finish()
    const found = await createCoordinatorAttestor(config.open(publicKey)).current()
    const { publishers } = identity
    expect(found).toMatchObject({
      simulated: true,
      identity: { service: 'http://localhost:8080', requestKey: publicKey, publishers },
    })
  })

  test('on hardware trusts the vendors’ roots only, and needs a signed release', () => {
    const env = new EnvReader({ TDX_ROOT: '/tmp/mine', MEASUREMENTS_FILE: join(dir, 'release', 'measurements.json'), MEASUREMENTS_PUBLIC_KEY: nonce }) // prettier-ignore
    const trust = parseHardwareTrust(env, readFileSync)
    expect(trust.snpRoots).toHaveLength(3)
    expect(env.problems).toEqual([
      'measurements: measurements.json is not signed by the configured release key (release_signature)',
    ])
    const empty = new EnvReader({})
    parseHardwareTrust(empty, readFileSync)
    expect(empty.problems).toEqual(['MEASUREMENTS_FILE is missing', 'MEASUREMENTS_PUBLIC_KEY is missing'])
  })
})
