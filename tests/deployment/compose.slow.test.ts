import { apiNodeFlags } from '../../api/nodeFlags.js'
import { workerNodeFlags } from '../../workers/nodeFlags.js'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseConfig as parseApi } from '../../api/config.js'
import { createChannelCertificates } from '../../core/x509/testing/createChannelCertificates.js'
import { createSimulatedRelease } from '../../core/simulation/testing/createSimulatedRelease.js'
import { openIdentity, pinOf } from '../../dev/satellite/index.js'
import { parseConfig as parseCodec } from '../../temporal/codecServer/config.js'
import { parseConfig as parseEnclave } from '../../enclave/config.js'
import { parseConfig as parseWeb } from '../../web/server/config.js'
import { parseConfig as parseWorker } from '../../workers/config.js'
import { copyPki } from '../rigs/sharedPki.js'
import { interpolate } from './interpolate.js'

interface Service {
  image: string
  build?: { target?: string; dockerfile?: string; args: { NODE_IMAGE: string } }
  environment?: Record<string, string>
  healthcheck?: object
  volumes?: string[]
  depends_on?: Record<string, { condition: string }>
}
interface Compose {
  services: Record<string, Service>
  volumes: Record<string, null>
}

const root = new URL('../../', import.meta.url)
const text = await readFile(new URL('docker-compose.yml', root), 'utf8')
const compose = parse(text, { merge: true }) as Compose
const dockerfile = await readFile(new URL('Dockerfile', root), 'utf8')
const enclaveDockerfile = await readFile(new URL('enclave/Dockerfile', root), 'utf8')

test('has every part of a deployment', () => {
  const parts = [
    'postgres',
    'temporal',
    'temporal-schema',
    'temporal-ui',
    'kubo',
    'enclave',
    'worker',
    'api',
    'codec',
    'web',
  ]
  expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(parts))
})

test('every image is pinned to a version', () => {
  for (const { image } of Object.values(compose.services)) expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/)
  const built = Object.values(compose.services).flatMap(({ build }) => build ?? [])
  expect(built).toHaveLength(5)
  for (const { args } of built) expect(args.NODE_IMAGE).toMatch(/^node:\d+\.\d+\.\d+-/)
})

test('every server has a health check, and services wait only for servers that have one', () => {
  const ownCheck = (name: string) => new RegExp(`AS ${name}\\b[^]*?(?=^FROM|$(?![^]))`, 'm').exec(dockerfile)?.[0] ?? ''
  const checked = (name: string) => {
    const service = compose.services[name]
    if (service?.healthcheck !== undefined) return true
    const stage = service?.build?.dockerfile ? enclaveDockerfile : ownCheck(service?.build?.target ?? '-')
    return stage.includes('HEALTHCHECK')
  }
  for (const name of ['postgres', 'temporal', 'temporal-ui', 'codec', 'kubo', 'enclave', 'worker', 'api', 'web']) {
    expect(checked(name), name).toBe(true)
  }
  for (const { depends_on = {} } of Object.values(compose.services)) {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      expect(compose.services).toHaveProperty(name)
      if (condition === 'service_healthy') expect(checked(name), name).toBe(true)
    }
  }
})

test('data is kept in named volumes', () => {
  const used = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes.map((one) => one.split(':')[0]))
  expect(used).toEqual(expect.arrayContaining(Object.keys(compose.volumes)))
})

test('nothing secret has a default', () => {
  const secret = /(?:PASSWORD|SECRETS|PRIVATE_KEYS|CODEC_KEYS)\b/
  const uses = [...text.matchAll(/\$\{([A-Z_]+)(:?[-?+])?/g)].filter(([, name = '']) => secret.test(name))
  expect(uses.length).toBeGreaterThan(5)
  for (const [use, , operator] of uses) expect(operator, use).toBe(':?')
})

describe('a deployment that is declared a simulation', () => {
  let dir: string
  let variables: Record<string, string>
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'perigee-compose-'))
    await copyPki(join(dir, 'simulation'))
    createSimulatedRelease(join(dir, 'simulation'))
    await createChannelCertificates(join(dir, 'channel'))
    const drawn = randomBytes(32).toString('hex')
    variables = {
      MOCK_ATTESTATION: 'true',
      PERIGEE_SIMULATED_DEPLOYMENT: 'true',
      DATABASE_PASSWORD: drawn,
      TEMPORAL_DATABASE_PASSWORD: drawn,
      TEMPORAL_CODEC_KEYS: `a:${drawn}`,
      ENCLAVE_CHANNEL_DIR: 'x',
      WORKER_CHANNEL_DIR: 'x',
      SIMULATION_DIR: 'x',
      ENCLAVE_CHAIN_IDS: '1',
      ENTROPY_MINIMUM: 'simulated',
      ENTROPY_SOURCES: 'simulated',
      SATELLITE_URL: 'http://satellite:9081',
      SATELLITE_PUBLIC_KEYS: JSON.stringify(pinOf(openIdentity(join(dir, 'satellite')))),
      CHAIN_ID: '1',
      CHAIN_RPC_URLS: 'https://rpc.example',
      CONTRACT_ADDRESS: `0x${'11'.repeat(20)}`,
      RELEASES_ADDRESS: `0x${'12'.repeat(20)}`,
      PUBLISHER_PRIVATE_KEYS: `0x${drawn}`,
      PUBLISHER_ADDRESSES: `0x${'33'.repeat(20)}`,
      PUBLIC_API_URL: 'https://api.example',
      WEB_ORIGINS: 'https://app.example',
      IPFS_GATEWAY_URL: 'https://ipfs.example',
      VITE_CHAIN_ID: '1',
      VITE_RPC_URL: 'https://rpc.example',
      SESSION_SECRETS: `1:${drawn}`,
      CODEC_SERVER_URL: 'https://operators.example',
      OPERATORS: 'google:1',
      OIDC_PROVIDERS: 'google',
      OIDC_GOOGLE_CLIENT_ID: 'id',
      OIDC_GOOGLE_CLIENT_SECRET: 'secret',
    }
  })
  afterAll(() => rm(dir, { recursive: true, force: true }))

  const programs = { enclave: parseEnclave, worker: parseWorker, api: parseApi, codec: parseCodec, web: parseWeb }
  test.each(Object.entries(programs))('gives %s all the settings it needs', (name, parseConfig) => {
    const environment = compose.services[name]?.environment ?? {}
    const env = Object.entries(environment).map(([key, value]) => [
      key,
      interpolate(value, variables).replace('/run/perigee/', `${dir}/`),
    ])
    expect(() => parseConfig(Object.fromEntries(env) as Record<string, string>)).not.toThrow()
  })
})

test.each([
  ['worker', workerNodeFlags],
  ['api', apiNodeFlags],
])('the image runs the %s with its flags', (name, flags) => {
  const command = ['node', ...flags, `dist/${name}.mjs`]
  expect(dockerfile).toContain(`CMD ${JSON.stringify(command).replaceAll(',', ', ')}`)
})
