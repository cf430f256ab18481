import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ed25519 } from '@noble/curves/ed25519'
import { toHex } from '@perigee/core'
import { releaseFile } from '@perigee/core/measurements'
import { vendorAnchors } from '@perigee/core/receipt'
import { getComposeHash } from '@phala/dstack-sdk'
import { afterAll, describe, expect, test } from 'vitest'
import { simulatedRelease } from '../dev/release/createSimulatedRelease.js'
import { signRelease } from '../dev/release/signRelease.js'
import { parseConfig } from './config.js'
import { createSatellite, createTestWorld } from './testing/createTestWorld.js'

const dir = mkdtempSync(join(tmpdir(), 'perigee-compose-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const script = fileURLToPath(new URL('appCompose.mjs', import.meta.url))
const image = `registry.example/perigee-enclave@sha256:${'ab'.repeat(32)}`
const { keys } = createSatellite()
const releaseKey = toHex(ed25519.getPublicKey(new Uint8Array(32).fill(7)))
function run(name: string, key: string = releaseKey) {
  const file = join(dir, 'keys.json')
  writeFileSync(file, JSON.stringify(keys))
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, name, '11155111,84532', file, key], {
    encoding: 'utf8',
  })
  return { stdout, stderr, status }
}

describe('the app-compose of a release', () => {
  test('hashes as dstack hashes it, each time the same', () => {
    const { stdout, stderr } = run(image)
    const app = JSON.parse(stdout) as Parameters<typeof getComposeHash>[0]
    expect(stderr.trim()).toBe(`compose hash 0x${getComposeHash(app)}`)
    expect(run(image).stdout).toBe(stdout)
  })

  test('holds everything that decides about signatures, and lets in only certificates and a list that its key signed', async () => {
    const app = JSON.parse(run(image).stdout) as { docker_compose_file: string; allowed_envs: string[] }
    const compose = JSON.parse(app.docker_compose_file) as {
      services: { enclave: { environment: Record<string, string> } }
    }
    expect(app.allowed_envs).toEqual([
      'ENCLAVE_CERT_PEM',
      'ENCLAVE_KEY_PEM',
      'ENCLAVE_CLIENT_CA_PEM',
      'ENCLAVE_MEASUREMENTS_JSON',
    ])
    const world = await createTestWorld()
    const { environment } = compose.services.enclave
    const tls = { ENCLAVE_TLS_CERT: world.channel.serverCert, ENCLAVE_TLS_KEY: world.channel.serverKey, ENCLAVE_TLS_CLIENT_CA: world.channel.ca } // prettier-ignore
    const list = join(dir, 'measurements.json')
    const configWith = (signer: number) => {
      const signed = signRelease(simulatedRelease(new Date()), new Uint8Array(32).fill(signer))
      writeFileSync(list, releaseFile(signed))
      return parseConfig({ ...environment, ...tls, MEASUREMENTS_FILE: list })
    }
    expect(() => configWith(8)).toThrow('measurements.json is not signed by the configured release key')
    const config = configWith(7)
    world.remove()
    expect(config.coordinators).toMatchObject({ simulated: false, release: { coordinators: [{ vmpl: 0 }] } })
    expect(config.coordinators.roots.map((root) => toHex(root))).toEqual(vendorAnchors().snpRoots)
    expect(config).toMatchObject({ mode: { simulated: false }, policy: { chainIds: [84532, 11155111] } })
    expect(config.trust.keys).toEqual(keys)
  })

  test('is not made for an image without a digest, or without a release key', () => {
    expect(run('perigee-enclave:latest').status).not.toBe(0)
    expect(run(image, '').status).not.toBe(0)
  })
})
