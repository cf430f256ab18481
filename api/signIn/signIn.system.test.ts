import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Browser } from '../testing/Browser.js'
import { hostileReturnTos } from '../testing/hostileReturnTos.js'
import {
  signHs256,
  signRs256,
  startHostileProvider,
  type HostileProvider,
  type Misbehaviour,
} from '../testing/hostileProvider.js'
import { startTestApi, webOrigin, type TestApi } from '../../tests/rigs/api/startTestApi.js'

let api: TestApi
let hostile: HostileProvider
let gone: HostileProvider
beforeAll(async () => {
  ;[hostile, gone] = [await startHostileProvider(), await startHostileProvider()]
  const config = (name: string, { issuer, client }: HostileProvider) => {
    return { name, issuer, clientId: client.id, clientSecret: client.secret }
  }
  const providers = [config('hostile', hostile), config('gone', gone)]
  api = await startTestApi({ providers: () => Promise.resolve(providers) })
})
afterAll(async () => {
  await api.close()
  await hostile.close()
})
beforeEach(() => {
  hostile.state.misbehaviour = {}
})

async function attempt(misbehaviour: Misbehaviour, browser = new Browser()) {
  hostile.state.misbehaviour = misbehaviour
  const { url } = await browser.navigate(`${api.url}/auth/hostile`, webOrigin)
  const signedIn = (await browser.fetch(`${api.url}/auth/me`)).status === 200
  return { signedIn, error: url.searchParams.get('sign_in_error'), url }
}
const part = (token: string, index: number) => {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString()) as Record<string, unknown>
}
const unsigned = (header: unknown, token: string) =>
  `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${token.split('.')[1]}.`

test('accepts the same provider when it is honest, and asks it with PKCE, state and nonce', async () => {
  expect(await attempt({})).toMatchObject({ signedIn: true, error: null })
  const asked = hostile.state.lastAuthorization
  expect(asked?.get('response_type')).toBe('code')
  expect(asked?.get('code_challenge_method')).toBe('S256')
  expect(asked?.get('code_challenge')).toMatch(/^[\w-]{43}$/)
  expect(asked?.get('state')).toMatch(/^[\w-]{43}$/)
  expect(asked?.get('nonce')).toMatch(/^[\w-]{43}$/)
  expect(asked?.get('scope')).toBe('openid email profile')
  expect(asked?.get('redirect_uri')).toBe(`${api.url}/auth/hostile/callback`)
})

const lies: Record<string, [Misbehaviour, string]> = {
  'another state': [{ callback: (params) => params.set('state', 'x'.repeat(43)) }, 'sign_in_expired'],
  'no state': [{ callback: (params) => params.delete('state') }, 'sign_in_expired'],
  'two states': [{ callback: (params) => params.append('state', 'x') }, 'sign_in_expired'],
  'another issuer in the response': [
    { callback: (params) => params.set('iss', 'https://evil.example') },
    'sign_in_failed',
  ],
  'no issuer in the response': [{ callback: (params) => params.delete('iss') }, 'sign_in_failed'],
  'no code': [{ callback: (params) => params.delete('code') }, 'sign_in_failed'],
  'a code it never gave': [{ callback: (params) => params.set('code', 'f'.repeat(32)) }, 'sign_in_failed'],
  'an implicit answer': [{ callback: (params) => params.set('id_token', 'a.b.c') }, 'sign_in_failed'],
  'a refusal': [{ callback: (params) => params.set('error', 'access_denied') }, 'sign_in_refused'],
  'an error': [{ callback: (params) => params.set('error', 'server_error') }, 'sign_in_failed'],
  'another nonce': [{ claims: (claims) => ({ ...claims, nonce: 'x'.repeat(43) }) }, 'sign_in_failed'],
  'no nonce': [{ claims: ({ nonce: _, ...claims }) => claims }, 'sign_in_failed'],
  'another issuer in the token': [
    { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) },
    'sign_in_failed',
  ],
  'an issuer with a slash': [
    { claims: (claims) => ({ ...claims, iss: `${String(claims['iss'])}/` }) },
    'sign_in_failed',
  ],
  'another audience': [{ claims: (claims) => ({ ...claims, aud: 'someone-else' }) }, 'sign_in_failed'],
  'audiences without ours': [{ claims: (claims) => ({ ...claims, aud: ['a', 'b'] }) }, 'sign_in_failed'],
  'another authorized party': [
    { claims: (claims) => ({ ...claims, aud: ['perigee', 'b'], azp: 'b' }) },
    'sign_in_failed',
  ],
  'no audience': [{ claims: ({ aud: _, ...claims }) => claims }, 'sign_in_failed'],
  'an expired token': [{ claims: (claims) => ({ ...claims, exp: 1_700_000_000 }) }, 'sign_in_failed'],
  'no expiry': [{ claims: ({ exp: _, ...claims }) => claims }, 'sign_in_failed'],
  'a token for later': [{ claims: (claims) => ({ ...claims, nbf: 4_000_000_000 }) }, 'sign_in_failed'],
  'no issue time': [{ claims: ({ iat: _, ...claims }) => claims }, 'sign_in_failed'],
  'no subject': [{ claims: ({ sub: _, ...claims }) => claims }, 'sign_in_failed'],
  'an unverified address': [{ claims: (claims) => ({ ...claims, email_verified: false }) }, 'email_not_verified'],
  'an address that is no text': [{ claims: (claims) => ({ ...claims, email: { a: 1 } }) }, 'email_not_verified'],
  'alg none': [{ token: (token) => unsigned({ alg: 'none' }, token) }, 'sign_in_failed'],
  'alg None with the old signature': [
    { token: (token) => `${unsigned({ alg: 'None', kid: '1' }, token)}${token.split('.')[2]}` },
    'sign_in_failed',
  ],
  'HS256 with the client secret': [
    { token: (token, { secret }) => signHs256({ alg: 'HS256' }, part(token, 1), secret) },
    'sign_in_failed',
  ],
  'the signature of another key': [
    { token: (token, { other }) => signRs256(part(token, 0), part(token, 1), other) },
    'sign_in_failed',
  ],
  'changed claims under the old signature': [
    {
      token: (token) => {
        const [header, , signature] = token.split('.')
        const claims = Buffer.from(JSON.stringify({ ...part(token, 1), sub: 'someone' })).toString('base64url')
        return `${header}.${claims}.${signature}`
      },
    },
    'sign_in_failed',
  ],
  'no ID token': [{ token: () => undefined }, 'sign_in_failed'],
  'nonsense for an ID token': [{ token: () => 'nonsense' }, 'sign_in_failed'],
  'an unknown key id': [{ header: () => ({ kid: '2' }) }, 'sign_in_failed'],
  'a critical header': [{ header: () => ({ crit: ['x'], x: 1 }) }, 'sign_in_failed'],
  'an error for the code': [{ tokenStatus: 500 }, 'sign_in_failed'],
}
test.each(Object.keys(lies))('refuses a provider that gives %s', async (name) => {
  const [misbehaviour, code] = lies[name] as [Misbehaviour, string]
  const result = await attempt(misbehaviour)
  expect(result).toMatchObject({ signedIn: false, error: code })
  expect(result.url.origin).toBe(webOrigin)
})

/** Signs in up to the callback and returns its address, unvisited, with the browser that started. */
async function stopBeforeCallback(provider = 'dev?login_hint=mallory@example.test', browser = new Browser()) {
  const { url } = await browser.navigate(
    `${api.url}/auth/${provider}`,
    `${api.url}/auth/${provider.split('?')[0]}/callback`,
  )
  return { browser, callback: url }
}
const transactionsOf = (browser: Browser) =>
  [...(browser.cookies.get('localhost')?.keys() ?? [])].filter((name) => name.startsWith('perigee_sign_in'))
const errorAt = (response: Response) =>
  new URL(response.headers.get('location') ?? '').searchParams.get('sign_in_error')

test('refuses an answer in a browser that did not ask (sign-in forgery)', async () => {
  const { callback } = await stopBeforeCallback()
  const victim = new Browser()
  expect(errorAt(await victim.fetch(callback))).toBe('sign_in_expired')
  expect((await victim.fetch(`${api.url}/auth/me`)).status).toBe(401)
})

test('refuses another browser’s answer in a browser that asked for its own', async () => {
  const { callback } = await stopBeforeCallback()
  const { browser: victim, callback: own } = await stopBeforeCallback('dev?login_hint=victim@example.test')
  expect(errorAt(await victim.fetch(callback))).toBe('sign_in_expired')
  expect((await victim.fetch(`${api.url}/auth/me`)).status).toBe(401)
  expect(errorAt(await victim.fetch(own))).toBe(null)
})

test('two tabs sign in at the same time, and the one that started first may come back last', async () => {
  const { browser, callback: first } = await stopBeforeCallback()
  const { callback: second } = await stopBeforeCallback('hostile', browser)
  for (const callback of [second, first]) expect(errorAt(await browser.fetch(callback))).toBe(null)
  expect((await browser.fetch(`${api.url}/auth/me`)).status).toBe(200)
  expect(transactionsOf(browser)).toEqual([])
})

test('a browser that is sent to sign in again and again keeps the newest transactions, in a small Cookie header', async () => {
  const start = async (browser: Browser, returnTo: string) => {
    const answer = await browser.fetch(`${api.url}/auth/dev?return_to=${encodeURIComponent(returnTo)}`)
    expect(answer.status).toBe(302)
  }
  for (const [path, kept] of [
    ['', 4],
    ['x'.repeat(2000), 1],
  ] as const) {
    const browser = new Browser()
    const { callback: oldest } = await stopBeforeCallback(undefined, browser)
    for (let i = 0; i < 20; i++) {
      await start(browser, `${webOrigin}/${path}`)
      expect(browser.cookieHeader(new URL(api.url)).length).toBeLessThan(8192)
    }
    expect(transactionsOf(browser).length).toBeGreaterThanOrEqual(kept)
    const { callback: newest } = await stopBeforeCallback(undefined, browser)
    expect(errorAt(await browser.fetch(oldest))).toBe('sign_in_expired')
    expect(errorAt(await browser.fetch(newest))).toBe(null)
  }
})

test('a transaction cookie works once, even when it was copied before', async () => {
  const { browser, callback } = await stopBeforeCallback()
  const copy = browser.copy()
  expect(errorAt(await browser.fetch(callback))).toBe(null)
  expect(transactionsOf(browser)).toEqual([])
  expect(errorAt(await copy.fetch(callback))).toBe('sign_in_expired')
  expect((await copy.fetch(`${api.url}/auth/me`)).status).toBe(401)
})

test('a failed attempt uses the transaction up too', async () => {
  const { browser, callback } = await stopBeforeCallback()
  const copy = browser.copy()
  const wrong = new URL(callback)
  wrong.searchParams.set('code', 'wrong')
  expect(errorAt(await browser.fetch(wrong))).toBe('sign_in_failed')
  expect(errorAt(await copy.fetch(callback))).toBe('sign_in_expired')
})

test('an answer cannot be brought to another provider’s callback', async () => {
  const { browser, callback } = await stopBeforeCallback()
  const elsewhere = new URL(callback.href.replace('/auth/dev/', '/auth/hostile/'))
  expect(errorAt(await browser.fetch(elsewhere))).toBe('sign_in_expired')
})

test('a provider that is down is reported to the app', async () => {
  await gone.close() // only now, lest somebody else be given its port
  const { url } = await new Browser().navigate(`${api.url}/auth/gone`, webOrigin)
  expect(url.searchParams.get('sign_in_error')).toBe('provider_unavailable')
})

test(`none of ${hostileReturnTos.length} hostile return addresses is ever redirected to`, async () => {
  for (const value of hostileReturnTos) {
    const response = await fetch(`${api.url}/auth/dev?return_to=${encodeURIComponent(value)}`, { redirect: 'manual' })
    expect(response.status, JSON.stringify(value)).toBe(400)
    expect(response.headers.get('location')).toBeNull()
    expect(((await response.json()) as { code: string }).code).toBe('return_to_not_allowed')
  }
  const twice = await fetch(`${api.url}/auth/dev?return_to=${webOrigin}&return_to=https://evil.example`, {
    redirect: 'manual',
  })
  expect(twice.status).toBe(400)
})

test('neither tokens nor codes are kept in the database or written to the log', async () => {
  await attempt({})
  const rows: unknown[] = await api.database.query(
    `SELECT u::text AS row FROM users u UNION ALL SELECT s::text FROM sessions s UNION ALL SELECT t::text FROM sign_in_transactions t`,
  )
  expect(JSON.stringify(rows)).not.toContain('access-token')
  expect(api.logs.join('')).not.toContain('access-token')
  expect(api.logs.join('')).not.toContain(hostile.client.secret)
})
