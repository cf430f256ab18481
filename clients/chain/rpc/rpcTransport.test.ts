import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { BaseError, createPublicClient, HttpRequestError, InvalidParamsRpcError, RpcRequestError } from 'viem'
import { rpcTransport } from './rpcTransport.js'

let close: () => Promise<void> = () => Promise.resolve()
afterEach(() => close())

async function rpc(answer: RequestListener, timeoutMs = 2_000, user = '') {
  const server = createServer(answer)
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  const url = `http://${user}127.0.0.1:${(server.address() as AddressInfo).port}/key-in-path?k=1`
  const client = createPublicClient({ transport: rpcTransport(url, timeoutMs), cacheTime: 0 })
  return { client, connections: () => connections }
}
const say =
  (value: unknown, status = 200): RequestListener =>
  (req, res) => {
    req.resume()
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Error & { walk(f: unknown): unknown }) => error,
  )

test('asks what viem asks, on connections that stay open', async () => {
  const seen: unknown[] = []
  const { client, connections } = await rpc((req, res) => {
    let body = ''
    req.on('data', (chunk: Buffer) => (body += chunk.toString()))
    req.on('end', () => {
      seen.push({ path: req.url, ...JSON.parse(body) })
      res.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x10' }))
    })
  })
  expect(await client.getBlockNumber()).toBe(16n)
  expect(await client.getBlockNumber()).toBe(16n)
  expect(seen).toMatchObject([
    { path: '/key-in-path?k=1', jsonrpc: '2.0', method: 'eth_blockNumber' },
    { path: '/key-in-path?k=1', jsonrpc: '2.0', method: 'eth_blockNumber' },
  ])
  for (let more = 0; more < 10; more++) await client.getBlockNumber()
  expect(connections()).toBeLessThanOrEqual(2)
})

test("an RPC's error keeps its code, also under another status", async () => {
  const error = { code: -32602, message: 'no such block' }
  for (const status of [200, 400]) {
    const { client } = await rpc(say({ jsonrpc: '2.0', id: 1, error }, status))
    const reason = await reasonOf(client.getBlockNumber())
    expect(reason).toBeInstanceOf(InvalidParamsRpcError)
    expect(reason?.walk((e: unknown) => e instanceof RpcRequestError)).toMatchObject({ code: -32602 })
    await close()
  }
})

test('a wrong status, no JSON, no result, null, too much and a cut connection are errors', async () => {
  const listeners: RequestListener[] = [
    say({ result: '0x1' }, 503),
    (_req, res) => res.end('<html>'),
    (_req, res) => res.end(),
    say(null),
    say({}),
    say({ result: 'x'.repeat(11 * 1024 * 1024) }),
    (_req, res) => res.writeHead(200, { 'content-length': '100' }).write('{', () => res.destroy()),
    (req) => req.socket.destroy(),
  ]
  for (const listener of listeners) {
    const { client } = await rpc(listener)
    const asked = client.request({ method: 'eth_getTransactionByHash', params: ['0x'] })
    await expect(asked).rejects.toBeInstanceOf(BaseError)
    await close()
  }
})

test('an RPC that does not answer in time, or trickles, is given up', async () => {
  const trickle: RequestListener = (_req, res) => {
    const timer = setInterval(() => res.write(' '), 20)
    res.on('close', () => clearInterval(timer))
  }
  for (const listener of [() => undefined, trickle]) {
    const { client } = await rpc(listener, 150)
    const reason = await reasonOf(client.getBlockNumber())
    expect(reason?.walk((e: unknown) => e instanceof HttpRequestError)).toBeTruthy()
    await close()
  }
})

test('a password in the address is sent, and appears in no error', async () => {
  let authorization: string | undefined
  for (const answer of [say({}, 500), say({ error: { code: -32000, message: 'busy' } }), say({})]) {
    const { client } = await rpc(
      (req, res) => {
        authorization = req.headers.authorization
        answer(req, res)
      },
      2_000,
      'ann:s%40cret@',
    )
    const reason = await reasonOf(client.getBlockNumber())
    expect(authorization).toBe(`Basic ${Buffer.from('ann:s@cret').toString('base64')}`)
    expect(inspect(reason, { depth: 9 })).toContain('127.0.0.1')
    expect(inspect(reason, { depth: 9 })).not.toContain('cret')
    await close()
  }
})
