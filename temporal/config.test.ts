import { writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EnvReader } from '@perigee/core/config'
import { connectionOptions, parseTemporalConfig } from './config.js'

const base = {
  TEMPORAL_ADDRESS: 'localhost:7233',
  TEMPORAL_NAMESPACE: 'perigee',
  TEMPORAL_CODEC_KEYS: `a:${'00'.repeat(32)}`,
}
function parse(env: Record<string, string>) {
  const reader = new EnvReader(env)
  return { config: parseTemporalConfig(reader), problems: reader.problems }
}

test('a local server needs an address, a namespace and codec keys, and speaks without TLS', () => {
  const { config, problems } = parse(base)
  expect(problems).toEqual([])
  expect(connectionOptions(config)).toEqual({ address: 'localhost:7233' })
})

test('Temporal Cloud by API key speaks TLS', () => {
  const { config } = parse({ ...base, TEMPORAL_API_KEY: 'key' })
  expect(connectionOptions(config)).toEqual({ address: 'localhost:7233', tls: true, apiKey: 'key' })
})

test('mutual TLS takes certificate, key, issuer and server name from files and variables', () => {
  const dir = mkdtempSync(join(tmpdir(), 'perigee-tls-'))
  for (const name of ['ca', 'crt', 'key']) writeFileSync(join(dir, name), name)
  const files = {
    TEMPORAL_TLS_CA: join(dir, 'ca'),
    TEMPORAL_TLS_CERT: join(dir, 'crt'),
    TEMPORAL_TLS_KEY: join(dir, 'key'),
  }
  const { config, problems } = parse({ ...base, ...files, TEMPORAL_TLS_SERVER_NAME: 'temporal.internal' })
  rmSync(dir, { recursive: true })
  expect(problems).toEqual([])
  expect(config.tls).toMatchObject({
    serverNameOverride: 'temporal.internal',
    clientCertPair: { crt: Buffer.from('crt'), key: Buffer.from('key') },
  })
})

test('everything that is wrong is named at once', () => {
  const { problems } = parse({
    TEMPORAL_ADDRESS: 'http://temporal',
    TEMPORAL_TLS_CERT: '/nowhere',
    TEMPORAL_CODEC_KEYS: 'nonsense',
  })
  expect(problems.map((text) => text.split(' ')[0])).toEqual([
    'TEMPORAL_ADDRESS',
    'TEMPORAL_TLS_CERT',
    'TEMPORAL_TLS_CERT',
    'TEMPORAL_NAMESPACE',
    'TEMPORAL_CODEC_KEYS',
  ])
})
