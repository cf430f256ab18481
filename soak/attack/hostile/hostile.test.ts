import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createRandom } from '../../../tests/createRandom.js'
import { createClient } from './createClient.js'
import { createFlooder } from './createFlooder.js'
import { createHolder } from './createHolder.js'
import { createReplayer } from './createReplayer.js'
import { createSigner } from './createSigner.js'
import type { Account, Replay } from './Plan.js'

let server: Server | undefined
afterEach(() => void server?.close().closeAllConnections())

async function serve(handle: RequestListener): Promise<string[]> {
  server = createServer(handle)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return [`http://127.0.0.1:${(server.address() as AddressInfo).port}`]
}

const account: Account = {
  name: 'somebody',
  wallet: '0x00000000000000000000000000000000000000aa',
  headers: { cookie: 'live' },
  sessions: [{ cookie: 'live' }],
  deadHeaders: { cookie: 'dead' },
  // Only Linux has all of 127.0.0.0/8 without being told.
  addresses: process.platform === 'linux' ? ['127.0.0.11', '127.0.0.12'] : ['127.0.0.1'],
}
const addressOf = ({ socket }: IncomingMessage) => socket.remoteAddress ?? ''
const question = { operation: 'x', method: 'GET', path: '/', headers: {} }

test('a client uses all its addresses, counts every answer, and notices what a refusal lacks', async () => {
  const seen = new Set<string>()
  const answers = [
    { status: 200, headers: {}, body: '{}' },
    {
      status: 429,
      headers: { 'retry-after': '3', ratelimit: '"sign";r=0;t=3', 'ratelimit-policy': '"sign";q=1;w=1' },
      body: '{"code":"rate_limited","facts":{"share":"sign"}}',
    },
    { status: 429, headers: {}, body: '{"code":"rate_limited"}' },
    {
      status: 503,
      headers: { 'retry-after': '9' },
      body: '{"code":"entropy_unavailable","facts":{"share":"entropy"}}',
    },
  ]
  let turn = 0
  const urls = await serve((request, answer) => {
    seen.add(addressOf(request))
    const { status, headers, body } = answers[turn++ % answers.length] as (typeof answers)[0]
    answer.writeHead(status, headers).end(body)
  })
  const client = createClient(account, urls, 1)
  for (let index = 0; index < 8; index++) await client.ask(question)
  expect([...seen].sort()).toEqual(account.addresses)
  expect(client.tally).toMatchObject({ sent: 8, heldBack: 0, operations: { x: 8 } })
  expect(client.tally.answers).toEqual({
    '200': 2,
    '429 rate_limited': 2,
    '429 rate_limited sign': 2,
    '503 entropy_unavailable entropy': 2,
  })
  expect(
    client.refusals().map(({ share, hasRetryAfter, hasRateLimit }) => [share, hasRetryAfter, hasRateLimit]),
  ).toEqual([
    ['sign', true, true],
    [null, false, false],
    ['entropy', true, false],
  ])
})

test('a client has no more requests under way than connections', async () => {
  const urls = await serve((_request, answer) => void setTimeout(() => answer.end('{}'), 50))
  const client = createClient(account, urls, 2)
  await Promise.all([1, 2, 3].map(() => client.ask(question)))
  expect(client.tally).toMatchObject({ sent: 2, heldBack: 1 })
})

test('a flooder reaches every operation, with bodies and cookies right and wrong', async () => {
  const seen: { path: string; cookie: string | undefined; key: string | undefined; bytes: number }[] = []
  const urls = await serve((request, answer) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => (bytes += chunk.length))
    request.once('end', () => {
      const { cookie, 'idempotency-key': key } = request.headers
      seen.push({ path: `${request.method} ${request.url}`, cookie, key: String(key ?? ''), bytes })
      answer.end('{}')
    })
  })
  const operation = { method: 'GET', example: null, hasBody: false, takesKey: false }
  const operations = [
    { ...operation, id: 'getProof', path: '/proof/{slug}' },
    { ...operation, id: 'endSession', path: '/auth/sessions/{id}', method: 'DELETE', hasBody: true, example: {} },
    { ...operation, id: 'signDigest', path: '/sign/digest', method: 'POST', hasBody: true, takesKey: true },
  ]
  const plan = { apiUrls: urls, chainId: 31337, pendingSlugs: ['pending'] }
  const flooder = createFlooder(account, operations, plan, createRandom(1))
  flooder.start()
  await expect.poll(() => flooder.client.tally.operations['signDigest'] ?? 0).toBeGreaterThan(20)
  flooder.stop()
  const paths = seen.map(({ path }) => path)
  expect(paths).toContain('GET /proof/pending')
  expect(paths.some((path) => /^GET \/proof\/[\w-]{22}$/.test(path))).toBe(true)
  expect(paths.some((path) => /^DELETE \/auth\/sessions\/[\w-]{36}$/.test(path))).toBe(true)
  expect(new Set(seen.map(({ cookie }) => cookie?.slice(0, 4)))).toEqual(new Set(['live', 'dead', 'peri', undefined]))
  expect(Math.max(...seen.map(({ bytes }) => bytes))).toBeGreaterThan(144 * 1024)
  const keys = seen.filter(({ path }) => path === 'POST /sign/digest').map(({ key }) => key)
  expect(new Set(keys).size).toBeGreaterThan(1)
  expect(new Set(keys).size).toBeLessThan(keys.length) // one is repeated
})

test('a holder keeps what it is given open, and says how many at most', async () => {
  const most = { user: 10, address: 25 }
  const open = { user: 0, address: 0 }
  const urls = await serve((request, answer) => {
    const kinds = request.headers.cookie ? (['user', 'address'] as const) : (['address'] as const)
    const usedUp = kinds.find((kind) => open[kind] >= most[kind])
    if (usedUp) {
      return void answer.writeHead(429).end(`{"code":"share_exceeded","facts":{"share":"${usedUp}.streams"}}`)
    }
    for (const kind of kinds) open[kind] += 1
    answer.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 1\n\n')
    request.socket.once('close', () => kinds.forEach((kind) => (open[kind] -= 1)))
  })
  const holder = createHolder(account, { apiUrls: urls, pendingSlugs: ['a', 'b'] })
  holder.start()
  await expect.poll(() => holder.client.tally.answers['429 share_exceeded address.streams'] ?? 0).toBeGreaterThan(3)
  expect(holder.client.tally.answers['429 share_exceeded user.streams']).toBeGreaterThan(0)
  expect(Object.fromEntries(holder.streams().map(({ kind, most }) => [kind, most]))).toEqual(most)
  holder.stop()
  await expect.poll(() => open.address).toBe(0)
})

test('a replayer tells the same answer from another, and both from a refusal', async () => {
  let count = 0
  const urls = await serve((request, answer) => {
    if (request.url === '/same') return void answer.end('{"b":2,"a":1}')
    if (request.url === '/new') return void answer.end(`{"a":${++count + 1}}`)
    answer.writeHead(422).end('{"code":"authorisation_invalid"}')
  })
  const replay = { headers: {}, body: '{}' }
  const replays: Replay[] = [
    { ...replay, name: 'same', expect: 'same', path: '/same', answer: '{"a":1,"b":2}' },
    { ...replay, name: 'new', expect: 'same', path: '/new', answer: '{"a":1}' },
    { ...replay, name: 'refused', expect: 'refused', path: '/refused', answer: null },
  ]
  const replayer = createReplayer(account, { apiUrls: urls, replays })
  replayer.start()
  await expect.poll(() => replayer.outcomes().length).toBe(3)
  replayer.stop()
  expect(replayer.outcomes().map(({ name, status, code, same }) => [name, status, code, same])).toEqual([
    ['same', 200, '', true],
    ['new', 200, '', false],
    ['refused', 422, 'authorisation_invalid', false],
  ])
})

test('a signer asks for something new each time, and keeps what it got', async () => {
  const signature = `0x${'11'.repeat(64)}1b`
  const asked = new Set<string>()
  let received = 0
  const urls = await serve((request, answer) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.once('end', () => {
      asked.add(body)
      received += 1
      answer.end(JSON.stringify({ slug: `slug-${asked.size}`, signature }))
    })
  })
  const signer = createSigner(account, { apiUrls: urls, chainId: 31337 })
  signer.start()
  await expect.poll(() => signer.acknowledged.length).toBeGreaterThan(5)
  signer.stop()
  expect(asked.size).toBe(received)
  expect(new Set(signer.acknowledged.map(({ kind }) => kind))).toEqual(new Set(['transaction', 'message']))
})
