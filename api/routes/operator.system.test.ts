import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import { verifyAuditLog } from '../../database/index.js'
import { Browser } from '../testing/Browser.js'
import { exampleTransaction } from '../testing/exampleTransaction.js'
import { operatorEmail, startTestApi, webOrigin, type TestApi } from '../../tests/rigs/api/startTestApi.js'

let api: TestApi
let slug: string
let operator: Browser
beforeAll(async () => {
  api = await startTestApi()
  operator = await api.signIn(operatorEmail)
  await api.post(operator, '/wallet/provision')
  const request = { digest: transactionDigest(exampleTransaction), txMetadata: exampleTransaction }
  slug = ((await (await api.post(operator, '/sign/digest', request)).json()) as { slug: string }).slug
})
afterAll(() => api.close())

const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code]
const endAll = (browser: Browser, userId: string, headers: Record<string, string> = {}) =>
  browser.fetch(`${api.url}/operator/users/${userId}/sessions`, {
    method: 'DELETE',
    headers: { origin: webOrigin, 'content-type': 'application/json', ...headers },
  })
const idOf = async (browser: Browser) =>
  ((await (await browser.fetch(`${api.url}/auth/me`)).json()) as { id: string }).id

test('an operator is told where the workflow of a proof is', async () => {
  const answer = await operator.fetch(`${api.url}/operator/proof/${slug}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.json()).toEqual({
    slug,
    workflowId: `receipt/${slug}`,
    temporalUrl: `http://localhost:8233/namespaces/perigee/workflows/receipt%2F${slug}`,
  })
  for (const unknown of ['AAAAAAAAAAAAAAAAAAAAAA', 'x']) {
    expect(await codeOf(await operator.fetch(`${api.url}/operator/proof/${unknown}`))).toEqual([404, 'proof_not_found'])
  }
})

test('nobody but an operator is told anything, whatever they send', async () => {
  const person = await api.signIn('person@example.test')
  const id = await idOf(person)
  for (const path of [`/operator/proof/${slug}`, '/operator/proof/AAAAAAAAAAAAAAAAAAAAAA', '/operator/proof/x']) {
    expect(await codeOf(await fetch(api.url + path))).toEqual([401, 'not_signed_in'])
    const headers = { 'x-operator': 'true', 'x-forwarded-user': operatorEmail }
    expect(await codeOf(await person.fetch(api.url + path, { headers }))).toEqual([403, 'operator_only'])
  }
  expect(await codeOf(await endAll(new Browser(), id))).toEqual([401, 'not_signed_in'])
  expect(await codeOf(await endAll(person, id))).toEqual([403, 'operator_only']) // their own, even
  expect(await codeOf(await endAll(operator, id, { origin: 'https://evil.example' }))).toEqual([
    403,
    'origin_not_allowed',
  ])
  expect((await person.fetch(`${api.url}/auth/me`)).status).toBe(200)
})

test('an e-mail address makes nobody an operator', async () => {
  const person = await api.signIn('same@example.test')
  await api.database.query(`UPDATE users SET email = $1 WHERE id = $2`, [operatorEmail, await idOf(person)])
  expect((await person.fetch(`${api.url}/operator/proof/${slug}`)).status).toBe(403)
})

test('an operator ends every session of a user, on record', async () => {
  const [laptop, phone] = [await api.signIn('stolen@example.test'), await api.signIn('stolen@example.test')]
  const bystander = await api.signIn('bystander@example.test')
  const id = await idOf(laptop)
  const answer = await endAll(operator, id)
  expect([answer.status, await answer.json()]).toEqual([200, { ended: 2 }])
  for (const browser of [laptop, phone]) expect((await browser.fetch(`${api.url}/auth/me`)).status).toBe(401)
  for (const browser of [bystander, operator]) expect((await browser.fetch(`${api.url}/auth/me`)).status).toBe(200)
  expect(await codeOf(await endAll(operator, '00000000-0000-4000-8000-000000000000'))).toEqual([404, 'user_not_found'])
  const rows = await api.database.query<unknown[]>(
    `SELECT subject, facts FROM audit_events WHERE kind = 'operator_sessions_ended'`,
  )
  expect(rows).toEqual([{ subject: id, facts: { operator: await idOf(operator), sessions: 2 } }])
  expect((await verifyAuditLog(api.database)).faults).toEqual([])
})
