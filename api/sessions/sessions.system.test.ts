import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../testing/Browser.js'
import { startTestApi, webOrigin, type TestApi } from '../../tests/rigs/api/startTestApi.js'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

interface OwnSession {
  id: string
  createdAt: string
  lastSeenAt: string
  expiresAt: string
  current: boolean
}
const sessionsOf = async (browser: Browser) =>
  ((await (await browser.fetch(`${api.url}/auth/sessions`)).json()) as { sessions: OwnSession[] }).sessions
const currentOf = async (browser: Browser) => (await sessionsOf(browser)).find(({ current }) => current)?.id
const end = (browser: Browser, id: string | undefined) =>
  browser.fetch(`${api.url}/auth/sessions/${id}`, {
    method: 'DELETE',
    headers: { origin: webOrigin, 'content-type': 'application/json' },
  })
const isSignedIn = async (browser: Browser) => (await browser.fetch(`${api.url}/auth/me`)).status === 200

test('a person sees their sessions and ends one of them, on record', async () => {
  const [laptop, phone] = [await api.signIn('one@example.test'), await api.signIn('one@example.test')]
  const lost = phone.copy()
  const all = await sessionsOf(laptop)
  expect(all).toHaveLength(2)
  expect(all.filter(({ current }) => current)).toHaveLength(1)
  for (const session of all) {
    expect(Object.keys(session).sort()).toEqual(['createdAt', 'current', 'expiresAt', 'id', 'lastSeenAt'])
    expect(Date.parse(session.expiresAt)).toBeGreaterThan(Date.parse(session.createdAt))
  }

  const id = await currentOf(phone)
  expect((await end(laptop, id)).status).toBe(204)
  expect(await isSignedIn(lost)).toBe(false)
  expect(await isSignedIn(laptop)).toBe(true)
  expect(await sessionsOf(laptop)).toHaveLength(1)
  expect((await end(laptop, id)).status).toBe(404) // it has ended already
  const rows = await api.database.query<unknown[]>(`SELECT facts FROM audit_events WHERE kind = 'session_ended'`)
  expect(rows).toMatchObject([{ facts: { sessionId: id, by: await currentOf(laptop) } }])
})

test('ending the session that asks signs this browser out', async () => {
  const browser = await api.signIn('two@example.test')
  expect((await end(browser, await currentOf(browser))).status).toBe(204)
  expect(browser.cookie('localhost', 'perigee_session')).toBeUndefined()
  expect(await isSignedIn(browser)).toBe(false)
})

test('nobody ends another’s session, and learns nothing of it', async () => {
  const [victim, other] = [await api.signIn('victim@example.test'), await api.signIn('other@example.test')]
  const theirs = await end(other, await currentOf(victim))
  const none = await end(other, '00000000-0000-4000-8000-000000000000')
  const nonsense = await end(other, 'x')
  const told = async (answer: Response) => {
    const { requestId: _, ...problem } = (await answer.json()) as Record<string, unknown>
    return problem
  }
  const first = await told(theirs)
  expect(first).toMatchObject({ status: 404, code: 'session_not_found' })
  expect(await told(none)).toEqual(first)
  expect(await told(nonsense)).toMatchObject({ status: 404, code: 'session_not_found' })
  expect(await isSignedIn(victim)).toBe(true)
  expect((await fetch(`${api.url}/auth/sessions`)).status).toBe(401)
})

test('sessions that have ended or were idle too long are not listed', async () => {
  const old = await api.signIn('three@example.test')
  await api.signIn('three@example.test')
  try {
    api.clock.offsetMs = 3_590_000
    expect(await sessionsOf(old)).toHaveLength(2)
    api.clock.offsetMs = 7_000_000
    expect(await sessionsOf(old)).toHaveLength(1)
  } finally {
    api.clock.offsetMs = 0
  }
})

test('public routes and event streams do not extend a session; routes that need one do', async () => {
  const browser = await api.signIn('idle@example.test')
  const seenAt = async () => {
    const [row] = await api.database.query<{ at: Date }[]>(
      `SELECT max(last_seen_at) AS at FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = 'idle@example.test'`,
    )
    return row?.at.getTime() ?? 0
  }
  const before = await seenAt()
  try {
    api.clock.offsetMs = 120_000
    for (const path of ['/health', '/proof/no-such-slug', '/proof/no-such-slug/events'])
      await browser.fetch(`${api.url}${path}`)
    expect(await seenAt()).toBe(before)
    expect(await isSignedIn(browser)).toBe(true)
    expect(await seenAt()).toBeGreaterThan(before)
  } finally {
    api.clock.offsetMs = 0
  }
})
