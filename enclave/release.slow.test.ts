import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toHex } from '@perigee/core'
import { releaseFile, signRelease } from '@perigee/core/measurements'
import { vendorAnchors } from '@perigee/core/receipt'
import { getComposeHash } from '@phala/dstack-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { releaseKeyOf } from '../core/measurements/testing/sampleRelease.js'
import { simulatedRelease } from '../core/simulation/testing/createSimulatedRelease.js'
import { parseConfig } from './config.js'
import { createSatellite, createTestWorld, nowSeconds, type TestWorld } from './testing/createTestWorld.js'

const dir = mkdtempSync(join(tmpdir(), 'perigee-compose-'))
const script = fileURLToPath(new URL('appCompose.mjs', import.meta.url))
const { keys } = createSatellite()
let world: TestWorld
let settings: Record<string, unknown>
beforeAll(async () => {
  world = await createTestWorld()
  settings = {
    image: `registry.example/perigee-enclave@sha256:${'ab'.repeat(32)}`,
    chainIds: [11155111, 84532],
    satelliteKeys: keys,
    keyProviderId: '30'.repeat(91),
    releaseKey: releaseKeyOf(7),
    minimumRelease: 3,
    clientCa: readFileSync(world.channel.ca, 'utf8'),
  }
})
afterAll(() => {
  world.remove()
  rmSync(dir, { recursive: true, force: true })
})

function run(changes: Record<string, unknown> = {}) {
  const file = join(dir, 'settings.json')
  writeFileSync(file, JSON.stringify({ ...settings, ...changes }))
  return spawnSync(process.execPath, [script, file], { encoding: 'utf8' })
}
interface Compose {
  services: { enclave: { environment: Record<string, string>; ports: string[]; secrets: string[] } }
  secrets: Record<string, { environment: string }>
}
function composeOf(changes: Record<string, unknown> = {}) {
  const app = JSON.parse(run(changes).stdout) as Record<string, unknown>
  return { app, compose: JSON.parse(app.docker_compose_file as string) as Compose }
}

/** The enclave's configuration as its container gets it, with a list of this version by this signer. */
function configWith(version: number, signer = 7, changes: Record<string, unknown> = {}) {
  const list = join(dir, 'measurements.json')
  const release = { ...simulatedRelease(new Date()), version }
  writeFileSync(list, releaseFile(signRelease(release, new Uint8Array(32).fill(signer))))
  const { environment } = composeOf(changes).compose.services.enclave
  const { serverCert, serverKey } = world.channel
  const outside = { ENCLAVE_TLS_CERT: serverCert, ENCLAVE_TLS_KEY: serverKey, MEASUREMENTS_FILE: list }
  return parseConfig({ ...environment, ...outside })
}

describe('the app-compose of a release', () => {
  test('hashes as dstack hashes it, each time the same', () => {
    const { stdout, stderr } = run()
    const app = JSON.parse(stdout) as Parameters<typeof getComposeHash>[0]
    expect(stderr.trim()).toBe(`compose hash 0x${getComposeHash(app)}`)
    expect(run().stdout).toBe(stdout)
  })

  test('names its key service, so that the guest takes keys from no other', () => {
    expect(composeOf().app).toMatchObject({
      kms_enabled: true,
      key_provider: 'kms',
      key_provider_id: '30'.repeat(91),
      local_key_provider_enabled: false,
    })
  })

  test('lets in the channel’s key pair and the signed list, and nothing else', () => {
    const { app, compose } = composeOf({ satelliteKeys: { $HOME: keys.test } })
    const { environment, secrets } = compose.services.enclave
    expect(app.allowed_envs).toEqual(['ENCLAVE_CERT_PEM', 'ENCLAVE_KEY_PEM', 'ENCLAVE_MEASUREMENTS_JSON'])
    expect(secrets).toEqual(['tls_cert', 'tls_key', 'measurements'])
    expect(Object.values(compose.secrets).map((one) => one.environment)).toEqual(app.allowed_envs)
    for (const value of Object.values(environment)) expect(value.replaceAll('$$', '')).not.toContain('$')
  })

  test('measures callers, roots, release key, minimum list version and everything that decides about signatures', () => {
    const config = configWith(3, 7, { clientKeys: ['cd'.repeat(32)] })
    expect(config.tls.clientCa.toString().trim()).toBe(readFileSync(world.channel.ca, 'utf8').trim())
    expect(config.clientKeys).toEqual(['cd'.repeat(32)])
    expect(config.coordinators.releases.publicKey).toBe(releaseKeyOf(7))
    expect(config.coordinators.releases.current(nowSeconds()).coordinators).toMatchObject([{ vmpl: 0 }])
    expect(config.coordinators.simulated).toBe(false)
    expect(config.coordinators.roots.map((root) => toHex(root))).toEqual(vendorAnchors().snpRoots)
    expect(config).toMatchObject({ mode: { simulated: false }, policy: { chainIds: [84532, 11155111] } })
    expect(config.trust.keys).toEqual(keys)
  })

  test('measures which entropy needs no satellite’s signature: none, unless the settings name it', () => {
    expect(configWith(3).trust).toMatchObject({ assertedSources: [], beaconNames: {} })
    const asserted = { entropyMinimum: 'operator-asserted', entropyAssertedSources: ['orbitport'] }
    const beacons = { entropyBeaconNames: { k2k4: 'orbitport-beacon' } }
    expect(configWith(3, 7, { ...asserted, ...beacons }).trust).toMatchObject({
      minimum: 'operator-asserted',
      assertedSources: ['orbitport'],
      beaconNames: { k2k4: 'orbitport-beacon' },
    })
  })

  test('listens on the port that the manifests and docker-compose.yml name', () => {
    const { environment, ports } = composeOf().compose.services.enclave
    const { ENCLAVE_PORT: port } = environment
    expect(ports).toEqual([`${port}:${port}`])
    const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
    expect(read('docker-compose.yml')).toContain(`ENCLAVE_PORT: '${port}'`)
    expect(read('deploy/kubernetes/base/config.yaml')).toMatch(new RegExp(`ENCLAVE_URL: 'https://[a-z.]+:${port}'`))
    expect(read('deploy/kubernetes/base/networkPolicies.yaml')).toContain(`port: ${port} }`)
  })

  test('does not start with a list of another key, or below its minimum version', () => {
    expect(() => configWith(3, 8)).toThrow('release_signature')
    expect(() => configWith(2)).toThrow('release_rollback')
    expect(() => configWith(4)).not.toThrow()
  })

  test.each<[string, Record<string, unknown>]>([
    ['an image without a digest', { image: 'perigee-enclave:latest' }],
    ['no release key', { releaseKey: '' }],
    ['no key service', { keyProviderId: '' }],
    ['no minimum version', { minimumRelease: undefined }],
    ['a minimum version of zero', { minimumRelease: 0 }],
    ['no issuer of callers', { clientCa: '' }],
    ['an issuer that is a path', { clientCa: '/run/secrets/client_ca' }],
    ['a client key that is no hash', { clientKeys: ['any'] }],
  ])('is not made with %s', (_, changes) => {
    expect(run(changes).status).not.toBe(0)
  })
})
