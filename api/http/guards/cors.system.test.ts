import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, rawRequest } from '../../testing/rawRequest.js'
import { startTestApi, webOrigin, type TestApi } from '../../../tests/rigs/api/startTestApi.js'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const preflight = (origin: string, path = '/sign/digest', method = 'POST') =>
  rawRequest(api.url + path, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'content-type' },
  })

test('an allow-listed origin may send credentials, and the preflight is cached', async () => {
  for (const origin of [webOrigin, 'https://app.example.org']) {
    const got = await preflight(origin)
    expect(got.status).toBe(204)
    expect(got.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-max-age': '600',
    })
    expect(got.headers['access-control-allow-headers']).toContain('content-type')
    expect(got.headers.vary).toMatch(/Origin/)
    const read = await rawRequest(`${api.url}/health`, { headers: { origin } })
    expect(read.headers['access-control-allow-origin']).toBe(origin)
  }
})

test('no other origin is let in, however alike, and none is ever reflected or wild', async () => {
  const others = [
    'null',
    'https://evil.example',
    `${webOrigin}/`,
    `${webOrigin}.evil.example`,
    'http://localhost:51730',
  ]
  others.push(
    'https://app.example.org.evil.example',
    'https://APP.example.org',
    'http://app.example.org',
    '*',
    'file://',
  )
  for (const origin of others) {
    const refused = await preflight(origin)
    expect([refused.status, codeOf(refused)], origin).toEqual([403, 'origin_not_allowed'])
    for (const path of ['/health', '/auth/me', '/proof/AAAAAAAAAAAAAAAAAAAAAA', '/openapi.json', '/nowhere']) {
      const got = await rawRequest(api.url + path, { headers: { origin } })
      expect(got.headers['access-control-allow-origin'], `${origin} ${path}`).toBeUndefined()
      expect(got.headers['access-control-allow-credentials']).toBeUndefined()
      expect(got.headers.vary).toMatch(/Origin/)
    }
  }
})

test('every answer carries the security headers, errors too', async () => {
  for (const path of ['/health', '/auth/me', '/nowhere', '/auth/dev', '/auth/dev?return_to=//evil.example']) {
    const { headers } = await rawRequest(api.url + path)
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-request-id': expect.stringMatching(/^[\w-]{16}$/),
    })
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers.server).toBeUndefined()
  }
})
