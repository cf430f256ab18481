import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import type { Browser } from '../../testing/Browser.js'
import { exampleTransaction } from '../../testing/exampleTransaction.js'
import { codeOf, rawRequest } from '../../testing/rawRequest.js'
import { startTestApi, webOrigin, type TestApi } from '../../../tests/rigs/api/startTestApi.js'

let api: TestApi
let browser: Browser
let headers: Record<string, string>
beforeAll(async () => {
  api = await startTestApi()
  browser = await api.signIn('signer@example.test')
  await api.post(browser, '/wallet/provision')
  const cookie = browser.cookieHeader(new URL(api.url))
  headers = { cookie, origin: webOrigin, 'content-type': 'application/json' }
})
afterAll(() => api.close())

const send = (body: string | Buffer, more: Record<string, string> = {}) =>
  rawRequest(`${api.url}/sign/digest`, { method: 'POST', headers: { ...headers, ...more }, body })
const request = (txMetadata: object = exampleTransaction, digest: unknown = transactionDigest(exampleTransaction)) =>
  JSON.stringify({ digest, txMetadata })

test('signs for chains on the list only', async () => {
  const elsewhere = { ...exampleTransaction, chainId: 1 }
  const answer = await send(request(elsewhere, transactionDigest(elsewhere)))
  expect([answer.status, codeOf(answer)]).toEqual([422, 'chain_not_allowed'])
})

test('an address in wrong mixed case is refused, in right mixed case it is the same transaction', async () => {
  const mixed = { ...exampleTransaction, to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' as const }
  const digest = transactionDigest(mixed)
  const good = await send(request(mixed, digest.toUpperCase().replace('0X', '0x')))
  expect(good.status).toBe(200)
  expect((await send(request({ ...mixed, to: mixed.to.toLowerCase() }, digest))).body).toBe(good.body)
  const wrong = await send(request({ ...mixed, to: mixed.to.replace('d8dA', 'D8dA') }, digest))
  expect([wrong.status, codeOf(wrong)]).toEqual([422, 'transaction_invalid'])
})

const bodies: [string, string | Buffer, number, string, Record<string, string>?][] = [
  ['no JSON', '{', 400, 'invalid_request'],
  ['a duplicate key', request().replace('{', '{"digest":"0x",'), 400, 'invalid_request'],
  ['a duplicate key inside', request().replace('"nonce":0', '"nonce":0,"nonce":1'), 400, 'invalid_request'],
  ['an unknown field', request().replace('{', '{"keyId":"x",'), 400, 'invalid_request'],
  ['an unknown field inside', request({ ...exampleTransaction, accessList: [] }), 422, 'transaction_invalid'],
  ['a prototype', request().replace('{', '{"__proto__":{},'), 400, 'invalid_request'],
  ['an array', '[]', 400, 'invalid_request'],
  ['null', 'null', 400, 'invalid_request'],
  ['a deep body', `{"digest":${'['.repeat(40)}${']'.repeat(40)},"txMetadata":{}}`, 400, 'invalid_request'],
  ['Latin-1', Buffer.from('{"digest":"\u00e9"}', 'latin1'), 400, 'invalid_request'],
  ['UTF-16', Buffer.from(request(), 'utf16le'), 400, 'invalid_request'],
  ['a byte order mark', `\ufeff${request()}`, 400, 'invalid_request'],
  ['a body over 64 kB', request({ ...exampleTransaction, data: `0x${'00'.repeat(40_000)}` }), 413, 'payload_too_large'],
  ['a compressed body', request(), 415, 'unsupported_media_type', { 'content-encoding': 'gzip' }],
  ['a number beyond 2^53', request().replace('"nonce":0', '"nonce":9007199254740993'), 422, 'transaction_invalid'],
  ['a negative amount', request({ ...exampleTransaction, value: '-1' }), 422, 'transaction_invalid'],
  ['an amount in hex', request({ ...exampleTransaction, value: '0x10' }), 422, 'transaction_invalid'],
  ['an amount of 79 digits', request({ ...exampleTransaction, value: '1'.repeat(79) }), 422, 'transaction_invalid'],
  ['an amount as a number', request({ ...exampleTransaction, value: 1 }), 422, 'transaction_invalid'],
]
test.each(bodies)('refuses %s with a problem', async (_name, body, status, code, more) => {
  const before = api.signer.calls.sign
  const answer = await send(body, more)
  expect([answer.status, codeOf(answer)]).toEqual([status, code])
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  const problem = JSON.parse(answer.body) as Record<string, unknown>
  expect(problem).toMatchObject({
    type: `urn:perigee:problem:${code}`,
    status,
    requestId: answer.headers['x-request-id'],
  })
  expect(problem).toHaveProperty('title')
  expect(problem).toHaveProperty('detail')
  expect(api.signer.calls.sign).toBe(before)
})

test('a person without a wallet is told so', async () => {
  const other = await api.signIn('no-wallet@example.test')
  const answer = await api.post(other, '/sign/digest', request())
  expect(answer.status).toBe(404)
  expect(((await answer.json()) as { code: string }).code).toBe('wallet_not_found')
})

test('an unforeseen failure says nothing about its cause', async () => {
  api.signer.beforeSign = () => Promise.reject(new Error('connection to 10.0.0.7 refused for user perigee'))
  try {
    const fresh = { ...exampleTransaction, nonce: 77 }
    const answer = await send(request(fresh, transactionDigest(fresh)))
    expect([answer.status, codeOf(answer)]).toEqual([500, 'internal_error'])
    expect(answer.body).not.toContain('10.0.0.7')
    expect(api.logs.join('')).toContain('10.0.0.7')
  } finally {
    api.signer.beforeSign = () => Promise.resolve()
  }
})

test('no signature leaves unless it is in the audit log', async () => {
  const fresh = { ...exampleTransaction, nonce: 78 }
  const signed = api.signer.calls.sign
  await api.database.query('ALTER TABLE audit_events RENAME TO audit_events_away')
  const answer = await send(request(fresh, transactionDigest(fresh)))
  await api.database.query('ALTER TABLE audit_events_away RENAME TO audit_events')
  expect([answer.status, codeOf(answer)]).toEqual([500, 'internal_error'])
  expect(answer.body).not.toContain('signature')
  expect(api.signer.calls.sign).toBe(signed) // the enclave was not asked
  expect((await send(request(fresh, transactionDigest(fresh)))).status).toBe(200)
})
