import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLink, type Link } from './createLink.js'

let server: Server
let link: Link
let url: string
beforeEach(async () => {
  server = createServer((_request, answer) => answer.end('x'.repeat(600)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  link = await createLink((server.address() as { port: number }).port)
  url = `http://127.0.0.1:${link.port}/`
})
afterEach(async () => {
  await link.close()
  server.closeAllConnections()
  server.close()
})

async function timed(): Promise<{ ms: number; length: number }> {
  const start = Date.now()
  const { length } = await (await fetch(url, { headers: { connection: 'close' } })).text()
  return { ms: Date.now() - start, length }
}

test('passes everything on when nothing is wrong', async () => {
  expect((await timed()).length).toBe(600)
})

test('latency holds what is sent for seconds, and no longer than the fault lasts', async () => {
  link.set('latency')
  expect((await timed()).ms).toBeGreaterThan(3_500)
  const slow = timed()
  await new Promise((resolve) => setTimeout(resolve, 200))
  link.set(null)
  expect((await slow).ms).toBeLessThan(2_000)
})

test('a trickle is slow and complete', async () => {
  link.set('trickle')
  const { ms, length } = await timed()
  expect(length).toBe(600)
  expect(ms).toBeGreaterThan(500)
})

test('a reset link refuses until it is healthy again', async () => {
  link.set('reset')
  await expect(timed()).rejects.toThrow()
  link.set(null)
  expect((await timed()).length).toBe(600)
})

test('a half-open link says nothing, and its connections are dead when it heals', async () => {
  link.set('half-open')
  let ended = false
  const asked = timed().finally(() => (ended = true))
  asked.catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(ended).toBe(false)
  link.set(null)
  await expect(asked).rejects.toThrow()
  expect((await timed()).length).toBe(600)
})
