import type { AddressInfo } from 'node:net'
import { randomBytes } from 'node:crypto'
import { defaultPayloadConverter } from '@temporalio/common'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConfigError } from '@perigee/core/config'
import { parseCodecKeys } from '../codec/codecKeys.js'
import { EncryptionCodec } from '../codec/EncryptionCodec.js'
import { parseConfig } from './config.js'
import { createCodecServer } from './createCodecServer.js'

const token = randomBytes(24).toString('hex')
const uiOrigin = 'http://localhost:8233'
const codec = new EncryptionCodec(parseCodecKeys(`a:${'7f'.repeat(32)}`, () => undefined))
const server = createCodecServer({ codec, uiOrigin, token })
let url: string

beforeAll(async () => {
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
const ask = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body), headers })

test('whoever has the token reads a payload; nobody else does', async () => {
  const body = toJson(await codec.encode([defaultPayloadConverter.toPayload({ slug: 'abc' })]))
  expect((await ask('/decode', body)).status).toBe(401)
  expect((await ask('/decode', body, { authorization: 'Bearer wrong' })).status).toBe(401)
  const basic = `Basic ${Buffer.from(`ops:${token}`).toString('base64')}`
  for (const authorization of [`Bearer ${token}`, basic]) {
    const answer = (await (await ask('/decode', body, { authorization })).json()) as ReturnType<typeof toJson>
    expect(Buffer.from(answer.payloads[0]?.data ?? '', 'base64').toString()).toBe('{"slug":"abc"}')
  }
})

test('a browser that gave the token once asks with its cookie, as the Temporal UI asks', async () => {
  const body = toJson(await codec.encode([defaultPayloadConverter.toPayload({ slug: 'abc' })]))
  const refused = await fetch(url)
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    'Basic realm="Perigee payload codec"',
  ])
  expect(refused.headers.get('set-cookie')).toBeNull()
  const authorization = `Basic ${Buffer.from(`ops:${token}`).toString('base64')}`
  const entered = await fetch(url, { headers: { authorization } })
  const [cookie = '', ...attributes] = (entered.headers.get('set-cookie') ?? '').split('; ')
  expect(attributes).toEqual(['HttpOnly', 'SameSite=Strict', 'Path=/'])
  expect(cookie).not.toContain(token)
  const decode = (header: string) => ask('/decode?preserveStorageRefs=true', body, { cookie: header, origin: uiOrigin })
  const answer = (await (await decode(`other=1; ${cookie}`)).json()) as ReturnType<typeof toJson>
  expect(Buffer.from(answer.payloads[0]?.data ?? '', 'base64').toString()).toBe('{"slug":"abc"}')
  for (const wrong of ['', 'perigee_codec=', `perigee_codec=${token}`, `x${cookie}`]) {
    expect((await decode(wrong)).status).toBe(401)
  }
})

test('only the page of the Temporal UI may ask from a browser', async () => {
  const preflight = (origin: string) => fetch(`${url}/decode`, { method: 'OPTIONS', headers: { origin } })
  expect((await preflight(uiOrigin)).headers.get('access-control-allow-origin')).toBe(uiOrigin)
  expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
})

test('nonsense is a 400 and an unknown path a 404', async () => {
  const headers = { authorization: `Bearer ${token}` }
  expect((await ask('/decode', { payloads: [{ metadata: { encoding: 'AAAA' } }] }, headers)).status).toBe(200)
  const garbage = { metadata: { encoding: Buffer.from('binary/encrypted').toString('base64') }, data: 'AAAA' }
  expect((await ask('/decode', { payloads: [garbage] }, headers)).status).toBe(400)
  expect((await ask('/other', {}, headers)).status).toBe(404)
})

test('a short token and missing variables are named at once', () => {
  try {
    parseConfig({ CODEC_SERVER_TOKEN: 'short' })
    expect.unreachable()
  } catch (error) {
    expect((error as ConfigError).problems).toHaveLength(4)
  }
})
