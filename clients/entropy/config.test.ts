import { expect, test } from 'vitest'
import { EnvReader, type Env } from '@perigee/core/config'
import { parseEntropyConfig } from './config.js'

const key = {
  source: 'simulated-satellite',
  algorithm: 'ed25519',
  publicKey: `0x${'d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'}`,
  signedBytes: 'perigee-satellite/1',
  shows: 'simulated',
  validFrom: 0,
  validTo: null,
}
const simulated = {
  ENTROPY_SOURCES: 'simulated',
  ENTROPY_MINIMUM: 'simulated',
  SATELLITE_URL: 'http://127.0.0.1:4000',
  SATELLITE_PUBLIC_KEYS: JSON.stringify({ k: key }),
}
const orbitport = {
  ENTROPY_SOURCES: 'orbitport',
  ENTROPY_MINIMUM: 'operator-asserted',
  ENTROPY_ASSERTED_SOURCES: 'orbitport',
}

function parse(env: Env) {
  const reader = new EnvReader(env)
  return { config: parseEntropyConfig(reader), problems: reader.problems }
}

test('reads the development configuration', () => {
  const { config, problems } = parse(simulated)
  expect(problems).toEqual([])
  expect(config).toMatchObject({ sources: ['simulated'], target: 64, satelliteUrl: 'http://127.0.0.1:4000' })
})

test('keeps the order of preference', () => {
  const { config, problems } = parse({
    ...simulated,
    ENTROPY_SOURCES: 'beacon,orbitport,simulated',
    ENTROPY_ASSERTED_SOURCES: 'orbitport',
    ORBITPORT_TOKEN: 't',
    ENTROPY_BEACON_NAMES: 'k2k4:orbitport-beacon',
    ENTROPY_BEACON_GATEWAYS: 'https://a.example,https://b.example',
  })
  expect(problems).toEqual([])
  expect(config.sources).toEqual(['beacon', 'orbitport', 'simulated'])
  expect(config.beacon).toEqual({
    name: 'k2k4',
    source: 'orbitport-beacon',
    gateways: ['https://a.example', 'https://b.example'],
  })
})

test('names everything that is missing at once', () => {
  const { problems } = parse({ ENTROPY_SOURCES: 'simulated,orbitport,beacon' })
  for (const name of [
    'ENTROPY_MINIMUM',
    'SATELLITE_URL',
    'ORBITPORT_TOKEN',
    'ENTROPY_BEACON_NAMES',
    'ENTROPY_BEACON_GATEWAYS',
  ]) {
    expect(problems.join('\n')).toContain(name)
  }
})

test('refuses a source that can never reach the minimum', () => {
  expect(parse({ ...simulated, ENTROPY_MINIMUM: 'operator-asserted' }).problems.join()).toContain(
    'below ENTROPY_MINIMUM',
  )
  const strict = { ...orbitport, ORBITPORT_TOKEN: 't', ENTROPY_MINIMUM: 'beacon-verified' }
  expect(parse(strict).problems.join()).toContain('below ENTROPY_MINIMUM')
  expect(parse({ ...orbitport, ORBITPORT_TOKEN: 't', ENTROPY_ASSERTED_SOURCES: '' }).problems.join()).toContain(
    'pinned',
  )
})

test('refuses an unknown or repeated source', () => {
  expect(parse({ ...simulated, ENTROPY_SOURCES: 'simulated,dice' }).problems).toHaveLength(1)
  expect(parse({ ...simulated, ENTROPY_SOURCES: 'simulated,simulated' }).problems).toHaveLength(1)
})

test('sends credentials over TLS only, except to this machine', () => {
  const open = { ...orbitport, ORBITPORT_TOKEN: 't', ORBITPORT_URL: 'http://op.example' }
  expect(parse(open).problems.join()).toContain('ORBITPORT_URL must use https')
  expect(parse({ ...open, ORBITPORT_URL: 'http://127.0.0.1:5000' }).problems).toEqual([])
})

test('a problem never repeats a secret', () => {
  const { problems } = parse({ ...orbitport, ORBITPORT_CLIENT_SECRET: 'hush-hush', ORBITPORT_PROTOCOL: 'smtp' })
  expect(problems.length).toBeGreaterThan(0)
  expect(problems.join()).not.toContain('hush-hush')
})
