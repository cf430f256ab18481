import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultPayloadConverter } from '@temporalio/common'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Browser } from '../../api/testing/Browser.js'
import { subjectOf } from '../../dev/identityProvider/account.js'
import {
  startIdentityProvider,
  type RunningIdentityProvider,
} from '../../dev/identityProvider/startIdentityProvider.js'
import { parseCodecKeys } from '../codec/codecKeys.js'
import { EncryptionCodec } from '../codec/EncryptionCodec.js'
import { createCodecApp } from './createCodecApp.js'
import { createOperatorSignIn } from './createOperatorSignIn.js'

// The server is behind a TLS proxy in a deployment; the test plays the proxy.
const publicUrl = 'https://codec.example.org'
const uiOrigin = 'https://temporal.example.org'
const operatorEmail = 'operator@example.test'
const codec = new EncryptionCodec(
  parseCodecKeys(`a:${'7f'.repeat(32)}`, () => undefined),
  'show',
)
const folder = mkdtempSync(join(tmpdir(), 'perigee-codec-'))
const logged: string[] = []
const servers: Server[] = []
let idp: RunningIdentityProvider
let url: string
let shortLived: string

beforeAll(async () => {
  const redirectUris = [`${publicUrl}/sign-in/dev/callback`]
  idp = await startIdentityProvider({ port: 0, folder, redirectUris })
  ;[url, shortLived] = [await serve(3600), await serve(1)]
})
afterAll(async () => {
  for (const server of servers) server.close()
  await idp.close()
  rmSync(folder, { recursive: true })
})

async function serve(sessionSeconds: number): Promise<string> {
  const { issuer, client } = idp
  const providers = [{ name: 'dev', issuer, clientId: client.id, clientSecret: client.secret }]
  const operators = [{ issuer, subject: subjectOf(operatorEmail) }]
  const log = pino({}, { write: (line: string) => void logged.push(line) })
  const signIn = createOperatorSignIn({ publicUrl, providers, operators, sessionSeconds, uiUpstream: null }, log)
  const server = createServer(createCodecApp({ codec, uiOrigins: [uiOrigin], signIn }))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Follows the sign-in up to the callback, which it returns unvisited. */
async function callbackFor(email: string, browser: Browser, base = url): Promise<string> {
  const start = `${base}/sign-in/dev?login_hint=${encodeURIComponent(email)}`
  return (await browser.navigate(start, publicUrl)).url.href.replace(publicUrl, base)
}
async function signIn(email: string, base = url): Promise<{ browser: Browser; response: Response }> {
  const browser = new Browser()
  return { browser, response: await browser.fetch(await callbackFor(email, browser, base)) }
}
async function decode(browser: Browser, headers: Record<string, string> = { origin: uiOrigin }, base = url) {
  const [payload] = await codec.encode([defaultPayloadConverter.toPayload({ slug: 'a-secret-slug' })])
  const text = (value: Uint8Array) => Buffer.from(value).toString('base64')
  const metadata = Object.fromEntries(Object.entries(payload?.metadata ?? {}).map(([k, v]) => [k, text(v)]))
  const body = JSON.stringify({ payloads: [{ metadata, data: text(payload?.data ?? new Uint8Array()) }] })
  return browser.fetch(`${base}/decode`, { method: 'POST', body, headers })
}
const clearText = Buffer.from('{"slug":"a-secret-slug"}').toString('base64')

test('an operator who signed in decodes from the Temporal UI', async () => {
  const { browser, response } = await signIn(operatorEmail)
  expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
  const cookie = browser.cookie('127.0.0.1', '__Host-perigee_codec')
  expect(cookie?.attributes).toEqual(expect.arrayContaining(['HttpOnly', 'Secure', 'SameSite=None', 'Path=/']))
  const answer = await decode(browser)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('access-control-allow-origin')).toBe(uiOrigin)
  expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
  expect(await answer.text()).toContain(clearText)
})

test('a person who is not an operator gets 403 and no session', async () => {
  const { browser, response } = await signIn('someone@example.test')
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({ code: 'operator_only' })
  expect(browser.cookie('127.0.0.1', '__Host-perigee_codec')).toBeUndefined()
  expect((await decode(browser)).status).toBe(401)
})

test('without a cookie, or with one that is not ours, the answer is 401', async () => {
  expect((await decode(new Browser())).status).toBe(401)
  for (const cookie of [
    '__Host-perigee_codec=x',
    '__Host-perigee_codec=Fe26.2*1*a*b*c*d*e*f',
    '__Host-perigee_codec=%',
  ]) {
    expect((await decode(new Browser(), { origin: uiOrigin, cookie })).status).toBe(401)
  }
  expect((await decode(new Browser(), { authorization: `Bearer ${'A'.repeat(43)}` })).status).toBe(401)
})

test('another page gets nothing with the operator’s cookie', async () => {
  const { browser } = await signIn(operatorEmail)
  for (const origin of ['https://evil.example', 'null', `${uiOrigin}.evil.example`, publicUrl]) {
    const answer = await decode(browser, { origin })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null])
  }
  expect((await decode(browser, {})).status).toBe(403) // a cookie without an origin is no page of the UI
})

test('a session expires', async () => {
  const { browser } = await signIn(operatorEmail, shortLived)
  expect((await decode(browser, { origin: uiOrigin }, shortLived)).status).toBe(200)
  await sleep(1_100)
  expect((await decode(browser, { origin: uiOrigin }, shortLived)).status).toBe(401)
})

test('signing out ends the session, copies of the cookie included; another page cannot sign anyone out', async () => {
  const { browser } = await signIn(operatorEmail)
  const copy = browser.copy()
  const signOut = (origin: string) => browser.fetch(`${url}/sign-out`, { method: 'POST', headers: { origin } })
  expect((await signOut('https://evil.example')).status).toBe(403)
  expect((await decode(browser)).status).toBe(200)
  expect((await signOut(publicUrl)).status).toBe(303)
  expect((await decode(browser)).status).toBe(401)
  expect((await decode(copy)).status).toBe(401)
})

test('the CLI uses a token that only a signed-in operator gets, on our own page', async () => {
  const { browser } = await signIn(operatorEmail)
  const token = (from: Browser, origin: string) => from.fetch(`${url}/token`, { method: 'POST', headers: { origin } })
  expect((await token(browser, 'https://evil.example')).status).toBe(403)
  expect((await token(new Browser(), publicUrl)).status).toBe(401)
  const [bearer] = /Bearer [\w-]{43}/.exec(await (await token(browser, publicUrl)).text()) ?? []
  const authorization = bearer ?? ''
  expect(await (await decode(new Browser(), { authorization })).text()).toContain(clearText)
  const again = { method: 'POST', headers: { origin: publicUrl, authorization } }
  expect((await new Browser().fetch(`${url}/token`, again)).status).toBe(401) // a token does not renew itself
  await browser.fetch(`${url}/sign-out`, { method: 'POST', headers: { origin: publicUrl } })
  expect((await decode(new Browser(), { authorization })).status).toBe(401)
})

test('a callback works in the browser that started the sign-in, once', async () => {
  const browser = new Browser()
  const callback = await callbackFor(operatorEmail, browser)
  expect((await new Browser().fetch(callback)).status).toBe(400)
  const copy = browser.copy()
  expect((await browser.fetch(callback)).status).toBe(303)
  expect((await copy.fetch(callback)).status).toBe(400) // the provider takes a code once
  expect((await browser.fetch(callback)).status).toBe(400)
})

test('an unknown provider is a 404', async () => {
  expect((await fetch(`${url}/sign-in/other`)).status).toBe(404)
})

test('the log has each sign-in, and neither addresses nor payloads', () => {
  const text = logged.join('')
  expect(text).toContain('an operator signed in')
  expect(text).toContain('refused a sign-in')
  for (const secret of ['example.test', subjectOf(operatorEmail), 'a-secret-slug', clearText]) {
    expect(text).not.toContain(secret)
  }
})
