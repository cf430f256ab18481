import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createPost, PostTimeout } from './createPost.js'

let server: Server | null = null
afterEach(() => server?.close())

async function listen(answer: RequestListener): Promise<string> {
  const http = createServer(answer)
  server = http
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

test('bytes, path, headers and status go through as they are', async () => {
  const url = await listen((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const { 'content-length': length, 'x-kind': kind } = req.headers
      const seen = { method: req.method, path: req.url, length, kind, body: Buffer.concat(chunks).toString('hex') }
      res.writeHead(418).end(JSON.stringify(seen))
    })
  })
  const post = createPost(`${url}/a?b=1`, 2_000)
  const { status, answer } = await post({ headers: { 'x-kind': 'block' }, body: Uint8Array.of(0, 255, 13, 10) })
  expect(status).toBe(418)
  expect(JSON.parse(answer.toString())).toEqual({
    ...{ method: 'POST', path: '/a?b=1', length: '4', kind: 'block', body: '00ff0d0a' },
  })
  const other = await post({ path: '/c' })
  expect(JSON.parse(other.answer.toString())).toMatchObject({ path: '/c', length: '0', body: '' })
})

test('who gives up is told at once, before, while and after connecting, and the connection is cut', async () => {
  let cut: () => void = () => undefined
  const closed = new Promise<void>((resolve) => (cut = resolve))
  let arrived: () => void = () => undefined
  const asked = new Promise<void>((resolve) => (arrived = resolve))
  const url = await listen((req) => {
    req.socket.on('close', cut)
    arrived()
  })
  const post = createPost(url, 10_000)
  await expect(post({ signal: AbortSignal.abort() })).rejects.toThrow('given up')

  const early = new AbortController()
  const unsent = post({ signal: early.signal })
  early.abort()
  await expect(unsent).rejects.toThrow('given up')

  const late = new AbortController()
  const answer = post({ signal: late.signal })
  await asked
  late.abort()
  await expect(answer).rejects.toThrow('given up')
  await closed
})

test('what was given up while it waited for a connection is never sent', async () => {
  let requests = 0
  const url = await listen((_req, res) => {
    requests++
    res.end('ok')
  })
  const post = createPost(url, 2_000)
  const given = Array.from({ length: 5 }, () => {
    const stop = new AbortController()
    const asked = post({ signal: stop.signal }).catch(() => 'given up')
    stop.abort()
    return asked
  })
  await Promise.all(given)
  await post({})
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(requests).toBe(1)
})

test('a server that accepts and says nothing is a timeout', async () => {
  const silent = createTcpServer(() => undefined)
  server = silent
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const post = createPost(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, 100)
  await expect(post({})).rejects.toBeInstanceOf(PostTimeout)
})

test('a signal is not kept by what it has outlived', async () => {
  const url = await listen((_req, res) => res.end('ok'))
  const { signal } = new AbortController()
  let listeners = 0
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
  signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args))
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args))
  const post = createPost(url, 2_000)
  for (let n = 0; n < 5; n++) await post({ signal })
  expect(listeners).toBe(0)
})
