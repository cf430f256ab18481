import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseSignature, transactionDigest, verifySigner, type Hex } from '@perigee/core'
import { Browser } from './testing/Browser.js'
import { exampleTransaction as transaction } from './testing/exampleTransaction.js'
import { startTestApi, webOrigin, type TestApi } from '../tests/rigs/api/startTestApi.js'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

test('signs a person in, who then has a session, a wallet and a signature', async () => {
  const browser = await api.signIn('ada.lovelace@example.test')
  const me = await browser.fetch(`${api.url}/auth/me`)
  expect(me.status).toBe(200)
  expect(await me.json()).toMatchObject({ email: 'ada.lovelace@example.test', name: 'Ada Lovelace' })

  const none = await browser.fetch(`${api.url}/wallet/me`)
  expect(none.status).toBe(404)
  expect(await codeOf(none)).toBe('wallet_not_found')

  const provisioned = await api.post(browser, '/wallet/provision')
  expect(provisioned.status).toBe(200)
  const wallet = (await provisioned.json()) as { address: Hex }
  expect(await (await browser.fetch(`${api.url}/wallet/me`)).json()).toEqual(wallet)

  const request = { digest: transactionDigest(transaction), txMetadata: transaction }
  const answer = await api.post(browser, '/sign/digest', request)
  expect(answer.status).toBe(200)
  const { signature, slug } = (await answer.json()) as { signature: Hex; slug: string }
  parseSignature(signature)
  await verifySigner(transaction, signature, wallet.address)
  expect(await (await api.post(browser, '/sign/digest', request)).json()).toEqual({ signature, slug })

  const proof = await fetch(`${api.url}/proof/${slug}`)
  expect(proof.status).toBe(200)
  expect(await proof.json()).toMatchObject({ slug, walletAddress: wallet.address, status: 'pending_pin' })
})

test('knows the same person again, and another as another', async () => {
  const idOf = async (browser: Browser) =>
    ((await (await browser.fetch(`${api.url}/auth/me`)).json()) as { id: string }).id
  const first = await idOf(await api.signIn('grace@example.test'))
  expect(await idOf(await api.signIn('grace@example.test'))).toBe(first)
  expect(await idOf(await api.signIn('mary@example.test'))).not.toBe(first)
})

test('answers 401 without a session', async () => {
  for (const path of ['/auth/me', '/wallet/me']) {
    const response = await fetch(api.url + path)
    expect(response.status).toBe(401)
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(await codeOf(response)).toBe('not_signed_in')
  }
  for (const path of ['/wallet/provision', '/sign/digest']) {
    expect((await api.post(new Browser(), path, {})).status).toBe(401)
  }
})

test.each(['{', `{"text":"${'x'.repeat(200_000)}"}`])(
  'without a session no body is read, however wrong: %#',
  async (body) => {
    for (const path of ['/sign/digest', '/sign/message', '/wallet/provision', '/wallet/owners']) {
      expect([path, (await api.post(new Browser(), path, body)).status]).toEqual([path, 401])
    }
  },
)

test('logout kills copied cookies too', async () => {
  const browser = await api.signIn('a@example.test')
  const thief = browser.copy()
  expect((await api.post(browser, '/auth/logout')).status).toBe(204)
  expect((await thief.fetch(`${api.url}/auth/me`)).status).toBe(401)
  expect((await browser.fetch(`${api.url}/auth/me`)).status).toBe(401)
})

test('logout everywhere ends the other browsers of the same person only', async () => {
  const [laptop, phone] = [await api.signIn('b@example.test'), await api.signIn('b@example.test')]
  const other = await api.signIn('c@example.test')
  expect((await api.post(laptop, '/auth/logout', { everywhere: true })).status).toBe(204)
  expect((await phone.fetch(`${api.url}/auth/me`)).status).toBe(401)
  expect((await other.fetch(`${api.url}/auth/me`)).status).toBe(200)
})

test('a sign-in gives a new session id, and the old one is dead', async () => {
  const browser = await api.signIn('d@example.test')
  const before = browser.copy()
  await api.signIn('d@example.test', browser)
  expect(browser.cookie('localhost', 'perigee_session')?.value).not.toBe(
    before.cookie('localhost', 'perigee_session')?.value,
  )
  expect((await before.fetch(`${api.url}/auth/me`)).status).toBe(401)
  expect((await browser.fetch(`${api.url}/auth/me`)).status).toBe(200)
})

test('refuses a session that was idle too long, and one past its absolute end however busy it was', async () => {
  const idle = await api.signIn('e@example.test')
  const busy = await api.signIn('e@example.test')
  try {
    for (let hour = 1; hour <= 23; hour++) {
      api.clock.offsetMs = hour * 3_590_000
      expect((await busy.fetch(`${api.url}/auth/me`)).status).toBe(200)
    }
    expect((await idle.fetch(`${api.url}/auth/me`)).status).toBe(401)
    api.clock.offsetMs = 86_401_000
    expect((await busy.fetch(`${api.url}/auth/me`)).status).toBe(401)
  } finally {
    api.clock.offsetMs = 0
  }
})

test('answers unknown paths and methods with a problem', async () => {
  const lost = await fetch(`${api.url}/nowhere`)
  expect([lost.status, await codeOf(lost)]).toEqual([404, 'not_found'])
  const wrong = await fetch(`${api.url}/auth/me`, { method: 'DELETE' })
  expect([wrong.status, await codeOf(wrong)]).toEqual([405, 'method_not_allowed'])
  expect(wrong.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  const unknown = await fetch(`${api.url}/auth/nobody`, { redirect: 'manual' })
  expect([unknown.status, await codeOf(unknown)]).toEqual([404, 'provider_unknown'])
  const proof = await fetch(`${api.url}/proof/AAAAAAAAAAAAAAAAAAAAAA`)
  expect([proof.status, await codeOf(proof)]).toEqual([404, 'proof_not_found'])
})

test('a refused sign-in returns to the app with a readable code', async () => {
  const browser = new Browser()
  const start = `${api.url}/auth/dev?return_to=${encodeURIComponent(`${webOrigin}/deep?x=1`)}`
  const { url: page } = await browser.navigate(start, webOrigin)
  const cancelled = await browser.fetch(page, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'action=cancel',
  })
  const { url: end } = await browser.navigate(new URL(cancelled.headers.get('location') ?? '', page), webOrigin)
  expect(end.href).toBe(`${webOrigin}/deep?x=1&sign_in_error=sign_in_refused`)
})

test('logs neither cookies nor e-mail addresses nor codes nor slugs', () => {
  const all = api.logs.join('')
  expect(all).toContain('"route":"/auth/:provider/callback"')
  for (const secret of ['@example.test', 'Fe26.2', 'code=', 'perigee_session=', 'AAAAAAAAAAAAAAAAAAAAAA']) {
    expect(all).not.toContain(secret)
  }
})
