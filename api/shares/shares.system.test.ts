import { afterEach, expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import type { Browser } from '../testing/Browser.js'
import { noMeter } from '../monitoring/ApiMeter.js'
import { exampleTransaction } from '../testing/exampleTransaction.js'
import { noLimits, noShares } from '../../tests/rigs/api/noLimits.js'
import { startTestApi, type TestApi } from '../../tests/rigs/api/startTestApi.js'
import type { Shares } from './Shares.js'

let api: TestApi
afterEach(() => api.close())

const start = async (shares: Partial<Shares>, more: object = {}) => {
  api = await startTestApi({ settings: { shares: { ...noShares, ...shares }, ...more } })
}

/** Signed in, with a wallet. */
async function newPerson(name: string): Promise<Browser> {
  const browser = await api.signIn(`${name}@example.test`)
  expect((await provision(browser)).status).toBe(200)
  return browser
}

const provision = (browser: Browser) => api.post(browser, '/wallet/provision')
let nonce = 0
const sign = (browser: Browser) => {
  const txMetadata = { ...exampleTransaction, nonce: nonce++ }
  return api.post(browser, '/sign/digest', { digest: transactionDigest(txMetadata), txMetadata })
}
const signMessage = (browser: Browser) =>
  api.post(browser, '/sign/message', {
    scheme: 'eip191',
    message: `0x${Buffer.from(`message ${nonce++}`).toString('hex')}`,
    salt: `0x${'5a'.repeat(32)}`,
  })
const refusal = async (answer: Response) => {
  const { code, facts } = (await answer.json()) as { code: string; facts?: { share: string } }
  return [answer.status, code, facts?.share]
}

test('messages, transactions and the wallet itself count for the day, and answers say what is left', async () => {
  await start({ users: { ...noShares.users, perDay: 3 } })
  const browser = await newPerson('dora')
  const first = await sign(browser)
  expect(first.headers.get('ratelimit-policy')).toBe('"user.perDay";q=3;w=86400')
  expect(first.headers.get('ratelimit')).toMatch(/^"user\.perDay";r=1;t=\d+$/)
  expect((await signMessage(browser)).status).toBe(200)
  expect(await refusal(await signMessage(browser))).toEqual([429, 'share_exceeded', 'user.perDay'])
  expect(await refusal(await sign(browser))).toEqual([429, 'share_exceeded', 'user.perDay'])
  expect((await sign(await newPerson('else'))).status).toBe(200)
  const usage = await api.database.query('SELECT signatures, messages, births FROM usage_days ORDER BY messages')
  expect(usage).toEqual([
    { signatures: 1, messages: 0, births: 1 },
    { signatures: 1, messages: 1, births: 1 },
  ])
})

test('wallets made from one address are limited over all users; wallets that exist are still answered', async () => {
  await start({ births: { perSecond: 0.01, burst: 2 } })
  const [one] = [await newPerson('one'), await newPerson('two')]
  const third = await api.signIn('three@example.test')
  const refused = await provision(third)
  expect(refused.headers.get('ratelimit-policy')).toBe('"address.perSecond";q=2;w=200')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
  expect(await refusal(refused)).toEqual([429, 'share_exceeded', 'address.perSecond'])
  expect((await provision(one as Browser)).status).toBe(200)
})

test('signatures from one address are limited over all users', async () => {
  await start({ addresses: { perSecond: 0.01, burst: 3 } })
  const [one, two] = [await newPerson('one'), await newPerson('two')]
  for (const browser of [one, two, one]) expect((await sign(browser)).status).toBe(200)
  expect(await refusal(await sign(two))).toEqual([429, 'share_exceeded', 'address.perSecond'])
})

test('when entropy runs low, a heavy user waits until midnight and a newcomer signs', async () => {
  const refusals: string[] = []
  const meter = { ...noMeter, rateLimited: (limit: string) => void refusals.push(limit) }
  api = await startTestApi({ settings: { shares: noShares, entropyReserve: 100 }, deps: { meter } })
  const heavy = await newPerson('heavy')
  for (let i = 0; i < 5; i++) expect((await sign(heavy)).status).toBe(200)
  for (const name of ['one', 'two']) await newPerson(name)
  const newcomer = await newPerson('newcomer')
  const sources = { test: { samplesPerDay: 50 } }
  await api.database.query('UPDATE entropy_supply SET snapshot = $1', [{ sources }])
  const refused = await sign(heavy)
  expect(refused.headers.get('ratelimit-policy')).toBe('"entropy";q=100;w=86400')
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(86_400)
  expect(await refusal(refused)).toEqual([503, 'entropy_unavailable', 'entropy'])
  expect(refusals).toEqual(['entropy']) // the alert EntropyReserveRefuses counts these
  expect((await sign(newcomer)).status).toBe(200)
})

test('one person’s finished sign-ins are limited', async () => {
  await start({}, { rateLimits: { ...noLimits, signInUser: { perSecond: 0.01, burst: 2 } } })
  for (let i = 0; i < 2; i++) await api.signIn('again@example.test')
  await expect(api.signIn('again@example.test')).rejects.toThrow('sign_in_error=rate_limited')
  await api.signIn('other@example.test')
})
