import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ServiceError } from '@perigee/core'
import { newWebhookSecret, startReceiver, type Receiver } from '../../tests/rigs/servers/startReceiver.js'
import { createWebhookSender } from './createWebhookSender.js'

let receiver: Receiver
beforeAll(async () => void (receiver = await startReceiver()))
beforeEach(() => {
  receiver.received.length = 0
  receiver.answers(204)
})
afterAll(() => receiver.close())

const letter = {
  eventId: 'evt_1',
  type: 'wallet.created' as const,
  occurredAt: '2026-11-17T10:00:00.000Z',
  data: { address: '0x00' },
}

function sender({ url = receiver.url, secrets = [receiver.secret], allowPrivate = true, withinMs = 10_000 } = {}) {
  const events: 'wallet.created'[] = ['wallet.created']
  return createWebhookSender({ applications: [{ name: 'shop', url, secrets, events }], allowPrivate }, withinMs)
}
const post = (options?: Parameters<typeof sender>[0]) => sender(options).post('shop', letter)

test('posts what happened, signed so that the application can verify it', async () => {
  await post()
  const [request] = receiver.received
  expect(request).toMatchObject({ id: 'evt_1', verified: true })
  expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Perigee-Webhooks/1' })
  expect(JSON.parse(request?.body ?? '')).toEqual({
    type: 'wallet.created',
    timestamp: '2026-11-17T10:00:00.000Z',
    data: { address: '0x00' },
  })
})

test('while a secret is rotated, an application that knows only one of them verifies', async () => {
  await post({ secrets: [newWebhookSecret(), receiver.secret] })
  await post({ secrets: [newWebhookSecret()] })
  expect(receiver.received.map(({ verified }) => verified)).toEqual([true, false])
})

test.each([400, 401, 404, 429, 500, 503])('an answer of %i is no delivery, and is tried again', async (status) => {
  receiver.answers(status)
  await expect(post()).rejects.toMatchObject({ code: 'webhook_undelivered', retryable: true, facts: { status } })
})

test('an application that is gone is not asked again', async () => {
  receiver.answers(410)
  await expect(post()).rejects.toMatchObject({ code: 'webhook_refused', retryable: false })
})

test('waits as long as the application asks for, up to six hours', async () => {
  receiver.answers((_, response) => response.writeHead(429, { 'retry-after': '30' }).end())
  await expect(post()).rejects.toMatchObject({ facts: { status: 429, retryAfterSeconds: 30 } })
  receiver.answers((_, response) => response.writeHead(503, { 'retry-after': '99999999' }).end())
  await expect(post()).rejects.toMatchObject({ facts: { retryAfterSeconds: 21_600 } })
  const date = new Date(Date.now() + 50 * 60_000).toUTCString()
  receiver.answers((_, response) => response.writeHead(503, { 'retry-after': date }).end())
  const { facts } = (await post().catch((error: unknown) => error)) as ServiceError
  expect(facts['retryAfterSeconds']).toBeGreaterThan(49 * 60)
})

test('follows no redirect', async () => {
  const elsewhere = await startReceiver()
  receiver.answers((_, response) => response.writeHead(307, { location: elsewhere.url }).end())
  await expect(post()).rejects.toMatchObject({ code: 'webhook_undelivered', facts: { status: 307 } })
  expect(elsewhere.received).toEqual([])
  await elsewhere.close()
})

test('reads no more than the beginning of an answer', async () => {
  let written = 0
  const chunk = Buffer.alloc(65_536)
  receiver.answers((_, response) => {
    response.writeHead(200)
    const write = () => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length
    }
    response.on('drain', write)
    write()
  })
  await post()
  expect(written).toBeLessThan(64 * 1024 * 1024)
})

test('an answer that never ends counts by its status, and holds nothing for longer than an attempt may take', async () => {
  receiver.answers((_, response) => {
    response.writeHead(200, { 'content-length': '100000' })
    const drip = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(drip))
  })
  await post({ withinMs: 3_000 })
})

test('an application that wants another protocol is tried again', async () => {
  receiver.answers((request) => {
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n')
  })
  await expect(post()).rejects.toMatchObject({ code: 'webhook_undelivered' })
})

test('an application that is silent, or not there, is tried again', async () => {
  receiver.answers(() => undefined)
  await expect(post({ withinMs: 100 })).rejects.toMatchObject({ code: 'webhook_undelivered' })
  const gone = await startReceiver()
  await gone.close()
  await expect(post({ url: gone.url })).rejects.toMatchObject({ facts: { reason: 'ECONNREFUSED' } })
})

test.each(['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1'])(
  'production does not connect to %s',
  async (host) => {
    const url = `http://${host}:${receiver.port}/`
    await expect(post({ url, allowPrivate: false })).rejects.toMatchObject({ code: 'webhook_refused' })
    expect(receiver.received).toEqual([])
  },
)

test('an application that the file does not name gets nothing', async () => {
  await expect(sender().post('other', letter)).rejects.toMatchObject({ code: 'webhook_refused' })
})
