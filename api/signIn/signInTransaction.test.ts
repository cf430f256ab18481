import express from 'express'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiSettings } from '../ApiDeps.js'
import { createSignInTransaction, createTransactionCookies } from './signInTransaction.js'

const settings = {
  publicUrl: 'https://api.example.org',
  cookieSameSite: 'none',
  sessionSecrets: [{ id: '1', secret: 'a-secret-for-tests-of-32-characters!' }],
} as unknown as ApiSettings
const cookies = createTransactionCookies(settings)
const start = () => createSignInTransaction('dev', `https://app.example.org/${'x'.repeat(1000)}`, true)

const app = express()
app.get('/start', async (req, res) => {
  const transaction = start()
  await cookies.write(req, res, transaction)
  res.json(transaction)
})
app.get('/finish', async (req, res) => void res.json(await cookies.read(req, String(req.query['state']))))
let server: ReturnType<typeof app.listen>
let url: string
beforeAll(() => {
  server = app.listen(0)
  url = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

async function begin(cookie = '') {
  const answer = await fetch(`${url}/start`, { headers: { cookie } })
  const lines = answer.headers.getSetCookie()
  const { state } = (await answer.json()) as { state: string }
  return { state, lines, pair: lines.at(-1)?.split(';')[0] ?? '' }
}
const finish = async (state: string, cookie: string) =>
  (await (await fetch(`${url}/finish?state=${state}`, { headers: { cookie } })).json()) as { state: string } | null

test('a transaction is found by its state only, also under the name of another', async () => {
  const [one, other] = [await begin(), await begin()]
  expect(one.pair).toMatch(/^__Host-perigee_sign_in_[0-9a-f]{16}=/)
  const both = `${one.pair}; ${other.pair}`
  for (const { state } of [one, other]) expect(await finish(state, both)).toMatchObject({ state })
  expect(await finish('unknown', both)).toBeNull()
  const renamed = `${one.pair.split('=')[0]}=${other.pair.split('=')[1]}`
  for (const { state } of [one, other]) expect(await finish(state, renamed)).toBeNull()
})

test('a new transaction clears the oldest ones once they take too much of the Cookie header, and no other cookie', async () => {
  const older = [await begin(), await begin(), await begin(), await begin()].map(({ pair }) => pair)
  const stranger = `__Host-perigee_session=${'x'.repeat(5000)}; __Host-perigee_sign_in_=1; =; perigee_sign_in_${'0'.repeat(16)}=1`
  const { lines } = await begin(`${older.join('; ')}; ${stranger}`)
  const cleared = lines.filter((line) => /Expires=Thu, 01 Jan 1970/.test(line)).map((line) => line.split('=')[0])
  expect(cleared).toEqual([older[1], older[0]].map((pair) => pair?.split('=')[0]))
  expect(lines.every((line) => /; Path=\/;.*HttpOnly; Secure; SameSite=Lax$/.test(line))).toBe(true)
  expect(lines).toHaveLength(3)
})
