import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import { exampleTransaction } from '../testing/exampleTransaction.js'
import { noLimits, startTestApi, type TestApi } from '../testing/startTestApi.js'

let api: TestApi
beforeAll(async () => {
  const rateLimits = {
    ...noLimits,
    address: { perSecond: 0.1, burst: 40 },
    sign: { perSecond: 0.1, burst: 5 },
    session: { perSecond: 0.1, burst: 60 },
  }
  api = await startTestApi({ settings: { rateLimits } })
})
afterAll(() => api.close())

const sign = { digest: transactionDigest(exampleTransaction), txMetadata: exampleTransaction }

test('one user’s signatures are limited exactly, and nobody else’s', async () => {
  const [greedy, other] = [await api.signIn('greedy@example.test'), await api.signIn('other@example.test')]
  for (const browser of [greedy, other]) expect((await api.post(browser, '/wallet/provision')).status).toBe(200)
  const answers = await Promise.all(Array.from({ length: 30 }, () => api.post(greedy, '/sign/digest', sign)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(25)
  for (const answer of refused) {
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(answer.headers.get('ratelimit-policy')).toBe('"sign";q=5;w=50')
    expect(answer.headers.get('ratelimit')).toMatch(/^"sign";r=0;t=\d+$/)
    expect(await answer.json()).toMatchObject({ code: 'rate_limited', status: 429, facts: { share: 'sign' } })
  }
  // A second session of the same person draws from the same bucket.
  const phone = await api.signIn('greedy@example.test')
  expect((await api.post(phone, '/sign/digest', sign)).status).toBe(429)
  expect((await api.post(other, '/sign/digest', sign)).status).toBe(200)
})

test('a flood without a session stops at the address, sessions from there go on', async () => {
  const browser = await api.signIn('calm@example.test')
  const flood = await Promise.all(Array.from({ length: 60 }, () => fetch(`${api.url}/health`)))
  expect(flood.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  const forged = await fetch(`${api.url}/health`, { headers: { cookie: 'perigee_session=Fe26.2*forged' } })
  expect(forged.status).toBe(429)
  expect((await browser.fetch(`${api.url}/auth/me`)).status).toBe(200)
  const said = await fetch(`${api.url}/health`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
  expect(said.status).toBe(429) // no proxy is trusted, so the header is ignored
})
