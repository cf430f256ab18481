import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest, ServiceError, type Hex, type TxMetadata } from '@perigee/core'
import { signingIntent, transactionIntent } from '@perigee/core/authorisation'
import { parseMessage, requestHash } from '@perigee/core/message'
import { createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { approveOwners, ownersOf } from '../../core/authorisation/testing/softOwners.js'
import type { Browser } from '../testing/Browser.js'
import { exampleTransaction } from '../testing/exampleTransaction.js'
import { startTestApi, webOrigin, type TestApi } from '../../tests/rigs/api/startTestApi.js'
import { parseIdempotencyKey } from './claimOf.js'

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

test('an answer that was given is given again after its approval has expired, and for this key only', async () => {
  const owned = await api.signIn('owned@example.test')
  const phone = createSoftPasskey({ origin: webOrigin })
  const owners = ownersOf([phone])
  const credentials = [{ publicKey: phone.publicKey, id: 'cGhvbmU' }]
  const approval = approveOwners(owners, { passkeys: [phone] })
  const made = await api.post(owned, '/wallet/provision', { owners, approval, credentials })
  const { address } = (await made.json()) as { address: Hex }
  const { digest, txMetadata } = request()
  const transaction = transactionIntent(address, owners, txMetadata.chainId, digest)
  const message = { scheme: 'eip191', message: '0x68656c6c6f' } as const
  const salt: Hex = `0x${'5a'.repeat(32)}`
  const asked = requestHash({ scheme: 'eip191', digest: parseMessage(message).digest, salt })
  const intent = signingIntent(address, owners, { kind: 'message', chainId: 0, digest: asked })
  const bodies = {
    '/sign/digest': { digest, txMetadata, authorisation: phone.approve(transaction) },
    '/sign/message': { ...message, salt, authorisation: phone.approve(intent) },
  }
  for (const [path, body] of Object.entries(bodies)) {
    const ask = (key: string, sent: unknown = body) => api.post(owned, path, sent, { 'idempotency-key': key })
    const first = await ask('"kept"')
    expect(first.status).toBe(200)
    api.clock.offsetMs = 30 * 60_000
    try {
      const again = await ask('"kept"')
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
      expect(await again.json()).toEqual(await first.json())
      expect(await codeOf(await ask('"another"'))).toBe('authorisation_expired')
      expect(await codeOf(await api.post(owned, path, body))).toBe('authorisation_expired')
      expect(await codeOf(await ask('"kept"', { ...body, authorisation: null }))).toBe('authorisation_required')
      expect(await codeOf(await api.post(browser, path, body, { 'idempotency-key': '"kept"' }))).toBe('authorisation_invalid') // prettier-ignore
    } finally {
      api.clock.offsetMs = 0
    }
  }
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
