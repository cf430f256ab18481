import { afterAll, beforeAll, expect, test } from 'vitest'
import { noLimits } from '../../tests/rigs/api/noLimits.js'
import { operatorEmail, startTestApi, webOrigin, type TestApi } from '../../tests/rigs/api/startTestApi.js'
import type { Browser } from '../testing/Browser.js'

let api: TestApi
beforeAll(async () => {
  const rateLimits = {
    ...noLimits,
    address: { perSecond: 0.1, burst: 40 },
    provision: { perSecond: 0.1, burst: 5 },
    session: { perSecond: 0.1, burst: 60 },
  }
  api = await startTestApi({ settings: { rateLimits } })
})
afterAll(() => api.close())

/** Limits of their own for a test that uses them up. */
async function withLimits(changes: object, work: (api: TestApi) => Promise<void>): Promise<void> {
  const own = await startTestApi({ settings: { rateLimits: { ...noLimits, ...changes } } })
  try {
    await work(own)
  } finally {
    await own.close()
  }
}

const remove = (own: TestApi, browser: Browser, path: string) =>
  browser.fetch(`${own.url}${path}`, {
    method: 'DELETE',
    headers: { origin: webOrigin, 'content-type': 'application/json' },
  })

test('what one user provisions is limited exactly, and nobody else’s', async () => {
  const [greedy, other] = [await api.signIn('greedy@example.test'), await api.signIn('other@example.test')]
  const provision = (browser: Browser) => api.post(browser, '/wallet/provision')
  const answers = await Promise.all(Array.from({ length: 30 }, () => provision(greedy)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(25)
  for (const answer of refused) {
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(answer.headers.get('ratelimit-policy')).toBe('"provision";q=5;w=50')
    expect(answer.headers.get('ratelimit')).toMatch(/^"provision";r=0;t=\d+$/)
    expect(await answer.json()).toMatchObject({ code: 'rate_limited', status: 429, facts: { share: 'provision' } })
  }
  // A second session of the same person draws from the same bucket.
  const phone = await api.signIn('greedy@example.test')
  expect((await provision(phone)).status).toBe(429)
  expect((await provision(other)).status).toBe(200)
})

test('a flood without a session stops at the address, sessions from there go on', () =>
  withLimits({ address: { perSecond: 0.01, burst: 20 } }, async (own) => {
    const browser = await own.signIn('calm@example.test')
    const health = (headers = {}) => fetch(`${own.url}/health`, { headers })
    const flood = await Promise.all(Array.from({ length: 24 }, () => health()))
    expect(flood.filter(({ status }) => status === 429).length).toBeGreaterThan(3)
    expect((await health({ cookie: 'perigee_session=Fe26.2*forged' })).status).toBe(429)
    expect((await browser.fetch(`${own.url}/auth/me`)).status).toBe(200)
    // No proxy is trusted, so the header is ignored.
    expect((await health({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(429)
  }))

test('all sessions of a person draw from one bucket, so that signing in often gives nothing', () =>
  withLimits({ session: { perSecond: 0.01, burst: 30 } }, async (own) => {
    const [laptop, phone] = [await own.signIn('twice@example.test'), await own.signIn('twice@example.test')]
    const other = await own.signIn('once@example.test')
    const ask = (browser: typeof laptop) => browser.fetch(`${own.url}/auth/me`)
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => ask(index % 2 ? laptop : phone)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
    expect((await ask(other)).status).toBe(200)
  }))

test('the cookie of a session that has ended takes nothing from the person', () =>
  withLimits({ session: { perSecond: 0.01, burst: 30 } }, async (own) => {
    const [laptop, phone] = [await own.signIn('lost@example.test'), await own.signIn('lost@example.test')]
    const thief = phone.copy()
    const ask = (browser: typeof laptop) => browser.fetch(`${own.url}/auth/me`)
    expect((await own.post(phone, '/auth/logout', {})).status).toBe(204)
    expect((await ask(thief)).status).toBe(401)
    const stolen = await Promise.all(Array.from({ length: 60 }, () => ask(thief)))
    expect(new Set(stolen.map(({ status }) => status))).toEqual(new Set([401]))
    for (let asked = 0; asked < 20; asked++) expect((await ask(laptop)).status).toBe(200)
  }))

test('nor does it on routes that need no session', () =>
  withLimits({ session: { perSecond: 0.01, burst: 30 } }, async (own) => {
    const [laptop, phone] = [await own.signIn('stolen@example.test'), await own.signIn('stolen@example.test')]
    const thief = phone.copy()
    expect((await own.post(phone, '/auth/logout', {})).status).toBe(204)
    await Promise.all(Array.from({ length: 60 }, () => thief.fetch(`${own.url}/health`)))
    expect((await laptop.fetch(`${own.url}/auth/me`)).status).toBe(200)
  }))

test.each<[string, (own: TestApi, owner: Browser, phone: Browser) => Promise<unknown>]>([
  [
    'from the list of sessions',
    async (own, owner) => {
      const { sessions } = (await (await owner.fetch(`${own.url}/auth/sessions`)).json()) as {
        sessions: { id: string; current: boolean }[]
      }
      const other = sessions.find(({ current }) => !current)
      return remove(own, owner, `/auth/sessions/${other?.id}`)
    },
  ],
  ['by another sign-in', (own, _, phone) => own.signIn('seen@example.test', phone)],
  [
    'by an operator',
    async (own) => {
      const [user] = await own.database.query<{ id: string }[]>(
        `SELECT id FROM users WHERE email = 'seen@example.test'`,
      )
      return remove(own, await own.signIn(operatorEmail), `/operator/users/${user?.id}/sessions`)
    },
  ],
])('nor when it was used within the minute and ended %s', (_, endIt) =>
  withLimits({ session: { perSecond: 0.01, burst: 30 } }, async (own) => {
    const [owner, phone] = [await own.signIn('seen@example.test'), await own.signIn('seen@example.test')]
    const thief = phone.copy()
    expect((await thief.fetch(`${own.url}/auth/me`)).status).toBe(200)
    await endIt(own, owner, phone)
    for (let asked = 0; asked < 40; asked++) expect((await thief.fetch(`${own.url}/health`)).status).toBe(200)
    const again = await own.signIn('seen@example.test')
    expect((await again.fetch(`${own.url}/auth/me`)).status).toBe(200)
  }),
)

test('a person over their limit is refused while the database hangs', () =>
  withLimits({ session: { perSecond: 0.01, burst: 10 } }, async (own) => {
    const browser = await own.signIn('hangs@example.test')
    const locks = own.database.createQueryRunner()
    await locks.startTransaction()
    try {
      await locks.query('LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE')
      const leave = new AbortController()
      const ask = () => browser.fetch(`${own.url}/health`, { signal: leave.signal })
      const asked = Array.from({ length: 30 }, () => ask().then(({ status }) => status, () => 'no answer')) // prettier-ignore
      expect(await Promise.race(asked)).toBe(429)
      leave.abort()
      const answers = await Promise.all(asked)
      expect(answers.filter((answer) => answer === 'no answer').length).toBeGreaterThan(0)
    } finally {
      await locks.rollbackTransaction()
      await locks.release()
    }
  }))

test('the answer to one sign-in, sent again and again, stops at the address before the audit log', () =>
  withLimits({ signIn: { perSecond: 0.01, burst: 5 } }, async (own) => {
    const start = await fetch(`${own.url}/auth/dev`, { redirect: 'manual' })
    const cookie = start.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const state = new URL(start.headers.get('location') ?? '').searchParams.get('state') ?? ''
    const answer = new URLSearchParams({ code: 'x', state }).toString()
    const finish = () => fetch(`${own.url}/auth/dev/callback?${answer}`, { redirect: 'manual', headers: { cookie } })
    const answers = await Promise.all(Array.from({ length: 20 }, finish))
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(5)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers.get('ratelimit-policy')).toBe('"signIn";q=5;w=500')
    const [row] = await own.database.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM audit_events WHERE kind = 'sign_in_failed'`,
    )
    expect(row?.n).toBe(5)
  }))
