import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createLogger } from '../createLogger.js'
import { noMeter } from '../monitoring/ApiMeter.js'
import { createHttpServer } from './createHttpServer.js'

const logs: string[] = []
let close = () => {}
let refuseOne = () => false
afterEach(() => close())

async function start(timeouts = { headersMs: 10_000, requestMs: 20_000, checkMs: 2_000 }): Promise<number> {
  const logger = createLogger('info', { write: (line) => void logs.push(line) })
  const app = createHttpServer(
    (req, res) => {
      if (req.url === '/stream') res.write('one event')
      else if (req.method === 'POST') req.resume().once('end', () => res.end('read'))
      else res.end('fine')
    },
    { logger, meter: noMeter },
    timeouts,
  )
  app.listen(0, '127.0.0.1')
  await once(app, 'listening')
  close = () => void app.close().closeAllConnections()
  refuseOne = () => app.emit('error', new Error('accept ENFILE'))
  return (app.address() as { port: number }).port
}

/** Everything that comes back until the connection closes. */
async function exchange(port: number, ...parts: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk
    const next = parts.shift()
    if (next !== undefined) socket.write(next)
  })
  socket.on('error', () => undefined)
  socket.write(parts.shift() ?? '')
  await once(socket, 'close')
  return answer
}

function parse(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toContain('\r\ncontent-type: application/problem+json; charset=utf-8\r\n')
  expect(head).toContain('\r\nconnection: close')
  expect(head).toContain(`\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`)
  const { status, code, requestId } = JSON.parse(body) as { status: number; code: string; requestId: string }
  expect(head.startsWith(`HTTP/1.1 ${status} `)).toBe(true)
  expect(head).toContain(`x-request-id: ${requestId}`)
  expect(logs.some((line) => line.includes(requestId))).toBe(true)
  return [status, code]
}

test.each([
  ['an address', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`],
  ['a header', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`],
])('answers a problem to %s that is too large', async (_what, request) => {
  expect(parse(await exchange(await start(), request))).toEqual([431, 'headers_too_large'])
})

test.each([
  ['\u0016\u0003\u0001\u0002\u0000\u0001'],
  ['hello\r\n\r\n'],
  ['GET / HTTP/9.9\r\nhost: a\r\n\r\n'],
  ['GET / HTTP/1.1\r\nhost : a\r\n\r\n'],
  ['GET / HTTP/1.1\r\nhost: a\r\nx: a\u0000b\r\n\r\n'],
  ['POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
  ['POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
])('answers a problem to what is not HTTP: %j', async (request) => {
  expect(parse(await exchange(await start(), request))).toEqual([400, 'invalid_request'])
})

test.each([
  ['headers', 'GET / HTTP/1.1\r\nhost: a\r\n'],
  ['a body', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nabc'],
])('answers a problem to %s that do not come', async (_what, request) => {
  const port = await start({ headersMs: 100, requestMs: 200, checkMs: 50 })
  expect(parse(await exchange(port, request))).toEqual([408, 'request_timeout'])
})

test('nonsense behind a request cannot write into the answer to it', async () => {
  const answer = await exchange(await start(), 'GET /stream HTTP/1.1\r\nhost: a\r\n\r\n', 'nonsense\r\n\r\n')
  expect(answer).toContain('one event')
  expect(answer).not.toContain('problem')
})

test('an unknown expectation is ignored', async () => {
  const answer = await exchange(await start(), 'GET / HTTP/1.1\r\nhost: a\r\nexpect: tea\r\nconnection: close\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*fine/)
})

test('a connection that the system cannot accept is logged, and ends nothing', async () => {
  const port = await start()
  expect(refuseOne()).toBe(true) // without a listener it throws what it was given
  expect(logs.at(-1)).toContain('accept ENFILE')
  expect(await exchange(port, 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')).toContain('fine')
})
