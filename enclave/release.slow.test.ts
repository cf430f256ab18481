import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getComposeHash } from '@phala/dstack-sdk'
import { afterAll, describe, expect, test } from 'vitest'
import { parseConfig } from './config.js'
import { createSatellite, createTestWorld } from './testing/createTestWorld.js'

const dir = mkdtempSync(join(tmpdir(), 'perigee-compose-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const script = fileURLToPath(new URL('appCompose.mjs', import.meta.url))
const image = `registry.example/perigee-enclave@sha256:${'ab'.repeat(32)}`
const { keys } = createSatellite()
function run(name: string) {
  const file = join(dir, 'keys.json')
  writeFileSync(file, JSON.stringify(keys))
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, name, '11155111,84532', file], {
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

  test('holds everything that decides about signatures, and lets only certificates in from outside', async () => {
    const app = JSON.parse(run(image).stdout) as { docker_compose_file: string; allowed_envs: string[] }
    const compose = JSON.parse(app.docker_compose_file) as {
      services: { enclave: { environment: Record<string, string> } }
    }
    expect(app.allowed_envs).toEqual(['ENCLAVE_CERT_PEM', 'ENCLAVE_KEY_PEM', 'ENCLAVE_CLIENT_CA_PEM'])
    const world = await createTestWorld()
    const { environment } = compose.services.enclave
    const tls = { ENCLAVE_TLS_CERT: world.channel.serverCert, ENCLAVE_TLS_KEY: world.channel.serverKey, ENCLAVE_TLS_CLIENT_CA: world.channel.ca } // prettier-ignore
    const config = parseConfig({ ...environment, ...tls })
    world.remove()
    expect(config).toMatchObject({ mode: { simulated: false }, policy: { chainIds: [84532, 11155111] } })
    expect(config.trust.keys).toEqual(keys)
  })

  test('is not made for an image without a digest', () => {
    expect(run('perigee-enclave:latest').status).not.toBe(0)
  })
})
