import express from 'express'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { createSealedCookie, type CookieSettings } from './createSealedCookie.js'

const settings: CookieSettings = {
  name: 'perigee_session',
  secrets: [{ id: '1', secret: 'an-old-secret-of-32-characters-or-more' }],
  sameSite: 'none',
  secure: true,
  maxAgeSeconds: 600,
}
const newSecret = { id: '2', secret: 'a-new-secret-of-32-characters-or-more!' }

/** Seals or opens over real HTTP, as the API does. */
async function withCookie<T>(change: Partial<CookieSettings>, work: (url: string) => Promise<T>): Promise<T> {
  const cookie = createSealedCookie<{ sid: string }>({ ...settings, ...change })
  const app = express()
  app.get('/write', async (_req, res) => {
    await cookie.write(res, { sid: 'a-secret-id' })
    res.end()
  })
  app.get('/read', async (req, res) => void res.json(await cookie.read(req)))
  app.get('/clear', (_req, res) => {
    cookie.clear(res)
    res.end()
  })
  const server = app.listen(0)
  try {
    return await work(`http://localhost:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
  }
}
const write = (change: Partial<CookieSettings> = {}) =>
  withCookie(change, async (url) => (await fetch(`${url}/write`)).headers.getSetCookie()[0] ?? '')
const read = (cookie: string, change: Partial<CookieSettings> = {}) =>
  withCookie(change, async (url) => (await (await fetch(`${url}/read`, { headers: { cookie } })).json()) as unknown)
const pairOf = (line: string) => line.split(';')[0] ?? ''

afterEach(() => {
  vi.useRealTimers()
})

test('a Secure cookie is bound to its host, unreadable for scripts, and small', async () => {
  const line = await write()
  expect(line).toMatch(/^__Host-perigee_session=/)
  const attributes = line
    .split('; ')
    .slice(1)
    .filter((part) => !part.startsWith('Expires'))
  expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=None', 'Secure'])
  expect(line.length).toBeLessThan(4096)
  expect(line).not.toContain('a-secret-id')
})

test('on http://localhost with Lax it goes without Secure and prefix', async () => {
  const line = await write({ secure: false, sameSite: 'lax' })
  expect(line).toMatch(/^perigee_session=.*; Path=\/;.*; HttpOnly; SameSite=Lax$/)
  expect(line).not.toContain('Secure')
})

test('opens what it sealed, and nothing that was changed', async () => {
  const pair = pairOf(await write())
  expect(await read(pair)).toEqual({ sid: 'a-secret-id' })
  expect(await read(`other=1; ${pair}; more=2`)).toEqual({ sid: 'a-secret-id' })
  for (let at = pair.indexOf('=') + 1; at < pair.length; at += 17) {
    const changed = pair.slice(0, at) + (pair[at] === 'A' ? 'B' : 'A') + pair.slice(at + 1)
    if (decodeURIComponent(changed) !== decodeURIComponent(pair)) expect(await read(changed), String(at)).toBeNull()
  }
})

test.each([
  '',
  '=',
  '__Host-perigee_session',
  '__Host-perigee_session=',
  '__Host-perigee_session=%',
  '__Host-perigee_session=Fe26.2*1*a*b*c*d*e*f~2',
  '__Host-perigee_session=Fe26.9***',
  ';;;',
])('takes %j for no cookie', async (cookie) => {
  expect(await read(cookie)).toBeNull()
})

test('the first secret seals, all open, and one that was removed opens nothing', async () => {
  const old = pairOf(await write())
  const known = { secrets: [...settings.secrets, newSecret] } // while some processes do not have the new one yet
  const stillOld = pairOf(await write(known))
  expect(await read(stillOld)).toEqual({ sid: 'a-secret-id' })
  const turned = { secrets: [newSecret, ...settings.secrets] }
  const fresh = pairOf(await write(turned))
  for (const pair of [old, fresh]) expect(await read(pair, turned)).toEqual({ sid: 'a-secret-id' })
  expect(await read(fresh, known)).toEqual({ sid: 'a-secret-id' })
  expect(await read(fresh, { secrets: [newSecret] })).toEqual({ sid: 'a-secret-id' })
  expect(await read(old, { secrets: [newSecret] })).toBeNull()
})

test('a seal is worth nothing after its time, whatever the browser keeps', async () => {
  const pair = pairOf(await write())
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 + 61_000 })
  expect(await read(pair)).toBeNull()
})

test('clearing names the same cookie with the same attributes', async () => {
  const line = await withCookie({}, async (url) => (await fetch(`${url}/clear`)).headers.getSetCookie()[0] ?? '')
  expect(line).toMatch(/^__Host-perigee_session=;.*Expires=Thu, 01 Jan 1970/)
  expect(line).toContain('Secure')
})
