import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createConfig } from '../../ops/config.js'
import { interpolate } from './interpolate.js'
import { podOf, readManifests, type Manifest } from './readManifests.js'

interface Service {
  environment?: Record<string, string>
  volumes?: string[]
  networks?: string[]
}
interface Compose {
  services: Record<string, Service>
  networks: Record<string, unknown>
  volumes: Record<string, unknown>
}
const read = (file: string) =>
  parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'), { merge: true }) as Compose
const [compose, withOps] = [read('docker-compose.yml'), read('docker-compose.ops.yml')]
const services = Object.entries({ ...compose.services, ...withOps.services })

/** Where a volume is in the container. */
const targetOf = (volume: string) => /:(\/[^:]+)(?::ro)?$/.exec(volume)?.[1] ?? ''

test.each(services)('%s: every file that a variable names is mounted', (_, { environment = {}, volumes = [] }) => {
  const targets = volumes.map(targetOf)
  for (const [name, value] of Object.entries(environment)) {
    const path = /\/(?:run|var\/lib)\/perigee\/[a-z/.-]+/.exec(value)?.[0]
    if (path) expect(targets.some((target) => `${path}/`.startsWith(`${target}/`)), name).toBe(true) // prettier-ignore
  }
})

test.each(['enclave', 'worker', 'api'])('%s sees a list of builds that is replaced: its folder is mounted', (name) => {
  const { environment = {}, volumes = [] } = compose.services[name] ?? {}
  const file = interpolate(environment['MEASUREMENTS_FILE'] ?? '', { MEASUREMENTS_DIR: './lists' })
  expect(volumes.map(targetOf)).toContain(file.replace(/\/measurements\.json$/, ''))
})

test('the web app offers trust anchors where there is a file', () => {
  const { environment = {}, volumes = [] } = compose.services['web'] ?? {}
  const given = { VITE_TRUST_ANCHORS_FILE: './trust-anchors.json' }
  const file = interpolate(environment['VITE_TRUST_ANCHORS_FILE'] ?? '', given)
  expect(volumes.map((volume) => interpolate(volume, given))).toEqual([`./trust-anchors.json:${file}:ro`])
  // On Kubernetes the volume is optional: there is no file before the first receipt. kubernetes.test.ts checks the path.
  const manifests = readManifests('base')
  const settings = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'perigee-web')
  expect(settings?.data).toHaveProperty('VITE_TRUST_ANCHORS_FILE')
  const web = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'web') as Manifest
  const optional = { name: 'perigee-trust-anchors', optional: true }
  expect(podOf(web).volumes).toContainEqual({ name: 'trust-anchors', configMap: optional })
})

test('ops gets what every command reads, and joins networks and volumes that exist', () => {
  const { environment = {}, networks = [], volumes = [] } = withOps.services['ops'] ?? {}
  const variables = {
    DATABASE_PASSWORD: 'x',
    TEMPORAL_CODEC_KEYS: `a:${'11'.repeat(32)}`,
    CHAIN_ID: '1',
    CHAIN_RPC_URLS: 'https://rpc.example',
    CONTRACT_ADDRESS: `0x${'11'.repeat(20)}`,
    RELEASES_ADDRESS: `0x${'12'.repeat(20)}`,
    PUBLISHER_ADDRESSES: `0x${'33'.repeat(20)}`,
    MEASUREMENTS_DIR: './lists',
    MEASUREMENTS_PUBLIC_KEY: `0x${'44'.repeat(32)}`,
  }
  const env = Object.entries(environment).map(([name, value]) => [name, interpolate(value, variables)])
  const config = createConfig(Object.fromEntries(env) as Record<string, string>)
  expect(config.databaseUrl()).toContain('@postgres:5432/')
  expect(config.chain().publishers).toEqual([variables.PUBLISHER_ADDRESSES])
  expect(config.releases().file).toBe('/run/perigee/measurements/measurements.json')
  for (const part of ['temporal', 'ipfs', 'walletRpcs', 'sealingVersion', 'collateralDir'] as const) config[part]()
  const own = Object.keys(withOps.networks)
  expect(networks.filter((name) => !own.includes(name) && !(name in compose.networks))).toEqual([])
  expect(own).toEqual(['ops-outside'])
  const kept = volumes.filter((volume) => /^[a-z]/.test(volume)).map((volume) => volume.split(':')[0] ?? '')
  expect(kept.filter((name) => !(name in compose.volumes))).toEqual([])
  // The same settings as the worker has, where both have one.
  const worker = compose.services['worker']?.environment ?? {}
  for (const [name, value] of Object.entries(environment)) if (name in worker) expect(value, name).toBe(worker[name])
})
