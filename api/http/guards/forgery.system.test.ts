import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { transactionDigest } from '@perigee/core'
import { exampleTransaction } from '../../testing/exampleTransaction.js'
import { codeOf, rawRequest } from '../../testing/rawRequest.js'
import { startTestApi, webOrigin, type TestApi } from '../../../tests/rigs/api/startTestApi.js'

const absent = undefined
const contentTypes = {
  [String(absent)]: 415,
  'application/json': 0,
  'application/json; charset=utf-8': 0,
  'application/json; charset=iso-8859-1': 415,
  'application/json-patch+json': 415,
  'text/plain': 415,
  'text/plain; x=application/json': 415,
  'application/x-www-form-urlencoded': 415,
  'multipart/form-data; boundary=x': 415,
}
const origins = {
  [String(absent)]: 403,
  null: 403,
  [webOrigin]: 0,
  [`${webOrigin}/`]: 403,
  [webOrigin.toUpperCase()]: 403,
  [`${webOrigin}.evil.example`]: 403,
  'https://evil.example': 403,
  'https://app.example.org': 0,
  'http://app.example.org': 403,
}
const crossSite = { lax: 403, none: 0 }
const sites = (mode: 'lax' | 'none') => ({
  [String(absent)]: 0,
  'same-origin': 0,
  'same-site': 0,
  'cross-site': crossSite[mode],
  none: 403,
  nonsense: 403,
})
const given = (name: string, value: string) => (value === String(absent) ? {} : { [name]: value })

describe.each(['lax', 'none'] as const)('with SameSite=%s', (mode) => {
  let api: TestApi
  let cookie: string
  beforeAll(async () => {
    api = await startTestApi({ settings: { cookieSameSite: mode } })
    const browser = await api.signIn('victim@example.test')
    // The sign-in's own, which nobody else waits for.
    await vi.waitFor(() => expect(api.signer.calls.startProvisioning).toBe(1), { timeout: 60_000 })
    await api.post(browser, '/wallet/provision')
    cookie = browser.cookieHeader(new URL(api.url))
  })
  afterAll(() => api.close())

  const sign = JSON.stringify({ digest: transactionDigest(exampleTransaction), txMetadata: exampleTransaction })
  const nobody = '00000000-0000-4000-8000-000000000000'
  const requests: { method?: string; path: string; body: string | undefined; accepted: number }[] = [
    { method: 'DELETE', path: `/auth/sessions/${nobody}`, body: undefined, accepted: 404 },
    { method: 'DELETE', path: `/operator/users/${nobody}/sessions`, body: undefined, accepted: 403 },
    { path: '/wallet/provision', body: undefined, accepted: 200 },
    { path: '/wallet/provision', body: '{}', accepted: 200 },
    { path: '/sign/digest', body: sign, accepted: 200 },
    { path: '/sign/digest', body: undefined, accepted: 400 },
    // With a cookie that names no session, so that one cell does not sign the next one out.
    { path: '/auth/logout', body: undefined, accepted: 204 },
    { path: '/auth/logout', body: '{"everywhere":true}', accepted: 204 },
  ]

  test('every unsafe request is refused unless origin, site and content type are all right', async () => {
    let [cells, accepted] = [0, 0]
    for (const { method = 'POST', path, body, accepted: answer } of requests) {
      const isTriedInFull = path === '/sign/digest' && body
      for (const [type, byType] of Object.entries(contentTypes)) {
        for (const [origin, byOrigin] of Object.entries(origins)) {
          for (const [site, bySite] of Object.entries(sites(mode))) {
            const wrong = [byType, byOrigin, bySite].filter(Boolean).length
            const unusual = [type !== 'application/json', origin !== webOrigin, site !== 'same-site']
            if (wrong > 0 && unusual.filter(Boolean).length > 1 && !isTriedInFull) continue // one guard serves all routes
            const headers = {
              cookie: path === '/auth/logout' ? 'perigee_session=none' : cookie,
              ...given('content-type', type),
              ...given('origin', origin),
              ...given('sec-fetch-site', site),
            }
            const before = { ...api.signer.calls }
            const got = await rawRequest(api.url + path, { method, headers, ...(body && { body }) })
            const expected = byOrigin || bySite || byType || answer
            expect(got.status, `${path} ${type} ${origin} ${site} ${body ? 'body' : 'no body'}`).toBe(expected)
            if (byOrigin || bySite || byType) expect(api.signer.calls).toEqual(before)
            cells += 1
            if (!byOrigin && !bySite && !byType) accepted += 1
          }
        }
      }
    }
    const right = 2 * 2 * (mode === 'none' ? 4 : 3)
    expect(accepted).toBe(requests.length * right)
    const wrongAlone = 7 + 7 + (mode === 'none' ? 2 : 3)
    expect(cells).toBe(9 * 9 * 6 + (requests.length - 1) * (right + wrongAlone))
  })

  test('no GET changes anything', async () => {
    for (const path of ['/wallet/provision', '/sign/digest', '/auth/logout']) {
      const got = await rawRequest(api.url + path, { headers: { cookie, origin: webOrigin } })
      expect([got.status, codeOf(got)]).toEqual([405, 'method_not_allowed'])
    }
    const still = await rawRequest(`${api.url}/auth/me`, { headers: { cookie } })
    expect(still.status).toBe(200)
  })

  test('method overrides are not believed', async () => {
    for (const header of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const got = await rawRequest(`${api.url}/auth/logout?_method=POST`, { headers: { cookie, [header]: 'POST' } })
      expect(got.status).toBe(405)
    }
  })
})
