import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defaultPayloadConverter } from '@temporalio/common'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConfigError } from '@perigee/core/config'
import { parseCodecKeys } from '../codec/codecKeys.js'
import { EncryptionCodec } from '../codec/EncryptionCodec.js'
import { parseConfig } from './config.js'
import { createCodecApp } from './createCodecApp.js'

const uiOrigin = 'http://localhost:8233'
const codec = new EncryptionCodec(
  parseCodecKeys(`a:${'7f'.repeat(32)}`, () => undefined),
  'show',
)
let server: Server
let url: string

beforeAll(async () => {
  server = createServer(createCodecApp({ codec, uiOrigins: [uiOrigin, 'http://127.0.0.1:8233'], signIn: null }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const toJson = (payloads: Awaited<ReturnType<typeof codec.encode>>) => ({
  payloads: payloads.map(({ metadata, data }) => ({
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
    ),
    data: Buffer.from(data ?? []).toString('base64'),
  })),
})
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body), headers })

test('in development the UI’s page and the CLI decode without a sign-in', async () => {
  const body = toJson(await codec.encode([defaultPayloadConverter.toPayload({ slug: 'abc' })]))
  for (const headers of [{}, { origin: uiOrigin }, { origin: 'http://127.0.0.1:8233' }]) {
    const answer = await post('/decode?preserveStorageRefs=true', body, headers)
    const { payloads } = (await answer.json()) as ReturnType<typeof toJson>
    expect(Buffer.from(payloads[0]?.data ?? '', 'base64').toString()).toBe('{"slug":"abc"}')
  }
})

test('what is encoded is decoded again', async () => {
  const plain = toJson([defaultPayloadConverter.toPayload({ operator: 'ops-1' })])
  expect((await post('/encode', plain)).status).toBe(400) // for no workflow
  const encoded: unknown = await (await post('/encode', plain, { 'x-workflow-id': 'receipt/abc' })).json()
  expect(JSON.stringify(encoded)).not.toContain(plain.payloads[0]?.data)
  expect(await (await post('/decode', encoded)).json()).toEqual(plain)
})

test('what belongs to the signing of a message stays encrypted, also under another workflow’s name', async () => {
  const secret = defaultPayloadConverter.toPayload({ message: '0x5ec2e7' })
  const hidden = toJson(await codec.encode([secret], { workflowId: 'message/wallet/0x00' }))
  const shown = toJson(await codec.encode([defaultPayloadConverter.toPayload('x')], { workflowId: 'receipt/abc' }))
  const mixed = { payloads: [...hidden.payloads, ...shown.payloads] }
  const answer = (await (await post('/decode', mixed)).json()) as typeof mixed
  expect(answer.payloads[0]).toEqual(hidden.payloads[0])
  expect(Buffer.from(answer.payloads[1]?.data ?? '', 'base64').toString()).toBe('"x"')
  const renamed = hidden.payloads.map(({ metadata, data }) => {
    const name = Buffer.from('receipt/abc').toString('base64')
    return { metadata: { ...metadata, 'encryption-workflow-id': name }, data }
  })
  expect((await post('/decode', { payloads: renamed })).status).toBe(400)
})

test('no other page may ask, also not under a name that points here', async () => {
  const preflight = (origin: string) => fetch(`${url}/decode`, { method: 'OPTIONS', headers: { origin } })
  expect((await preflight(uiOrigin)).headers.get('access-control-allow-origin')).toBe(uiOrigin)
  const refused = await preflight('https://evil.example')
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null])
  expect((await post('/decode', { payloads: [] }, { origin: 'https://evil.example' })).status).toBe(403)
  const { port } = server.address() as AddressInfo
  const rebound = await new Promise<string>((resolve) => {
    void import('node:net').then(({ connect }) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write('POST /decode HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}'),
      )
      let text = ''
      socket.on('data', (chunk) => (text += String(chunk))).on('close', () => resolve(text))
    })
  })
  expect(rebound).toMatch(/^HTTP\/1\.1 403 /)
})

test('nonsense is a 400 and an unknown path a 404', async () => {
  expect((await post('/decode', { payloads: [{ metadata: { encoding: 'AAAA' } }] })).status).toBe(200)
  const garbage = { metadata: { encoding: Buffer.from('binary/encrypted').toString('base64') }, data: 'AAAA' }
  expect((await post('/decode', { payloads: [garbage] })).status).toBe(400)
  expect((await fetch(`${url}/decode`, { method: 'POST', body: '{' })).status).toBe(400)
  expect((await post('/other', {})).status).toBe(404)
})

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    parseConfig(env)
    return []
  } catch (error) {
    return (error as ConfigError).problems
  }
}
const development = {
  CODEC_SERVER_DEVELOPMENT: 'true',
  CODEC_SERVER_PORT: '8234',
  CODEC_SERVER_UI_ORIGINS: `${uiOrigin},http://127.0.0.1:8233`,
  TEMPORAL_CODEC_KEYS: `local:${'0123456789abcdef'.repeat(4)}`,
}

test('development mode starts on loopback only, and never in production', () => {
  expect(problemsOf(development)).toEqual([])
  expect(problemsOf({ ...development, CODEC_SERVER_HOST: 'localhost' })).toEqual([])
  for (const host of ['0.0.0.0', '::', '10.0.0.7', 'codec.example.org', '127.0.0.1.example.org']) {
    expect(problemsOf({ ...development, CODEC_SERVER_HOST: host }).join()).toContain('loopback')
  }
  expect(problemsOf({ ...development, NODE_ENV: 'production' }).join()).toContain('refused in production')
})

test('without it, every variable of the sign-in is asked for, and production wants https', () => {
  const missing = problemsOf({ ...development, CODEC_SERVER_DEVELOPMENT: 'false' }).join()
  for (const name of ['OIDC_PROVIDERS', 'OPERATORS', 'CODEC_SERVER_URL']) expect(missing).toContain(name)
  const deployed = {
    ...development,
    CODEC_SERVER_DEVELOPMENT: 'false',
    NODE_ENV: 'production',
    CODEC_SERVER_HOST: '0.0.0.0',
    CODEC_SERVER_URL: 'https://codec.example.org',
    CODEC_SERVER_UI_ORIGINS: 'https://temporal.example.org',
    OIDC_PROVIDERS: 'google',
    OIDC_GOOGLE_CLIENT_ID: 'id',
    OIDC_GOOGLE_CLIENT_SECRET: 'secret',
    OPERATORS: 'google:1234',
  }
  expect(problemsOf(deployed)).toEqual([])
  expect(problemsOf({ ...deployed, CODEC_SERVER_URL: 'http://codec.example.org' })).toHaveLength(1)
  expect(problemsOf({ ...deployed, CODEC_SERVER_UI_ORIGINS: 'http://temporal.example.org' })).toHaveLength(1)
})
