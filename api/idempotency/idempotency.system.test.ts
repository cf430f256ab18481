import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest, ServiceError, type TxMetadata } from '@perigee/core'
import type { Browser } from '../testing/Browser.js'
import { exampleTransaction } from '../testing/exampleTransaction.js'
import { startTestApi, type TestApi } from '../../tests/rigs/api/startTestApi.js'
import { parseIdempotencyKey } from './parseIdempotencyKey.js'

let api: TestApi
let browser: Browser
beforeAll(async () => {
  api = await startTestApi()
  browser = await api.signIn('twice@example.test')
  await api.post(browser, '/wallet/provision')
})
afterAll(() => api.close())

let nonce = 0
const request = (change: Partial<TxMetadata> = { nonce: ++nonce }) => {
  const txMetadata = { ...exampleTransaction, ...change }
  return { digest: transactionDigest(txMetadata), txMetadata }
}
const sign = (body: unknown, key: string, by = browser) =>
  api.post(by, '/sign/digest', body, { 'idempotency-key': key })
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

test('the same key gives the same answer without asking again', async () => {
  const body = request()
  const first = await sign(body, '"key-1"')
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  const calls = api.signer.calls.sign
  const second = await sign(body, 'key-1') // with and without quotes is the same key
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect(await second.json()).toEqual(await first.json())
  expect(api.signer.calls.sign).toBe(calls)
})

test('a key stands for one request', async () => {
  await sign(request(), '"key-2"')
  const other = await sign(request(), '"key-2"')
  expect([other.status, await codeOf(other)]).toEqual([422, 'idempotency_mismatch'])
})

test('the same body in another order is the same request', async () => {
  const { digest, txMetadata } = request()
  await sign({ digest, txMetadata }, '"key-3"')
  expect((await sign({ txMetadata, digest }, '"key-3"')).headers.get('idempotency-replayed')).toBe('true')
})

test('while the first is in flight the second is told to wait', async () => {
  let release = () => {}
  const body = request()
  let first: Promise<Response> | undefined
  await new Promise<void>((begun) => {
    api.signer.beforeSign = () => new Promise((done) => ((release = done), begun()))
    first = sign(body, '"key-4"')
  })
  const second = await sign(body, '"key-4"')
  expect([await codeOf(second), second.headers.get('retry-after')]).toEqual(['idempotency_in_flight', '1'])
  api.signer.beforeSign = () => Promise.resolve()
  release()
  expect((await first)?.status).toBe(200)
  expect((await sign(body, '"key-4"')).status).toBe(200)
})

test('a failure releases the key', async () => {
  api.signer.beforeSign = () => Promise.reject(new ServiceError('enclave_unreachable', 'down'))
  const body = request()
  expect((await sign(body, '"key-5"')).status).toBe(503)
  api.signer.beforeSign = () => Promise.resolve()
  expect((await sign(body, '"key-5"')).status).toBe(200)
})

test('keys of different people have nothing to do with each other', async () => {
  const other = await api.signIn('other@example.test')
  await api.post(other, '/wallet/provision')
  const body = request()
  const [mine, theirs] = [await sign(body, '"key-6"'), await sign(body, '"key-6"', other)]
  expect(theirs.headers.get('idempotency-replayed')).toBeNull()
  expect(await theirs.json()).not.toEqual(await mine.json())
})

test('works for provisioning too', async () => {
  const fresh = await api.signIn('fresh@example.test')
  const once = () => api.post(fresh, '/wallet/provision', undefined, { 'idempotency-key': '"p"' })
  const first: unknown = await (await once()).json()
  const second = await once()
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect(await second.json()).toEqual(first)
})

test('reads keys as the draft writes them', () => {
  expect(parseIdempotencyKey(undefined)).toBeNull()
  expect(parseIdempotencyKey('"a\\"b\\\\c d"')).toBe('a"b\\c d')
  for (const wrong of ['', '""', '"a', 'a"b', 'a b', 'a,b', `"${'a'.repeat(256)}"`, '"\u00e9"', '"a";x=1']) {
    expect(() => parseIdempotencyKey(wrong), wrong).toThrowError(expect.objectContaining({ code: 'invalid_request' }))
  }
})
