import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createUiProxy } from './createUiProxy.js'

const publicUrl = 'https://operators.example'
const servers: Server[] = []
let seen: IncomingMessage[] = []
let signedIn = true
let url: string

async function listen(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  const upstream = await listen(
    createServer((req, res) => {
      seen.push(req)
      let body = ''
      req
        .on('data', (part: Buffer) => (body += part.toString()))
        .on('end', () => {
          res
            .writeHead(201, { 'content-type': 'text/plain', 'set-cookie': '_csrf=1' })
            .end(`${req.method} ${req.url} ${body}`)
        })
    }),
  )
  const app = express()
  app.use('/ui', createUiProxy({ upstream, publicUrl, isSignedIn: () => Promise.resolve(signedIn) }))
  url = await listen(createServer(app))
})
beforeEach(() => {
  seen = []
  signedIn = true
})
afterAll(() => servers.forEach((server) => server.close()))

test('passes a signed-in operator through, without our own session', async () => {
  const headers = { cookie: '__Host-perigee_codec=secret; _csrf=1; perigee_codec=x' }
  const answer = await fetch(`${url}/ui/namespaces?q=1`, { headers })
  expect([answer.status, await answer.text()]).toEqual([201, 'GET /ui/namespaces?q=1 '])
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(seen[0]?.headers.cookie).toBe('_csrf=1')
})

test('sends everyone else to the sign-in page, and asks the UI nothing', async () => {
  signedIn = false
  const page = await fetch(`${url}/ui/`, { redirect: 'manual' })
  expect([page.status, page.headers.get('location')]).toEqual([303, '/'])
  const post = await fetch(`${url}/ui/api/v1/x`, { method: 'POST', headers: { origin: publicUrl } })
  expect(post.status).toBe(401)
  expect(seen).toEqual([])
})

test('changes nothing for other sites’ pages, whatever cookies come along', async () => {
  for (const origin of [undefined, 'https://evil.example', 'null']) {
    const headers: Record<string, string> = origin ? { origin } : {}
    expect((await fetch(`${url}/ui/api/v1/terminate`, { method: 'POST', headers })).status).toBe(403)
  }
  expect(seen).toEqual([])
  const own = await fetch(`${url}/ui/api/v1/x`, { method: 'POST', headers: { origin: publicUrl }, body: 'b' })
  expect(await own.text()).toBe('POST /ui/api/v1/x b')
})

test('says so when the UI is down', async () => {
  const app = express()
  app.use(createUiProxy({ upstream: 'http://127.0.0.1:1', publicUrl, isSignedIn: () => Promise.resolve(true) }))
  expect((await fetch(`${await listen(createServer(app))}/ui/`)).status).toBe(502)
})
