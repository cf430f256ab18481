import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fundedClient, startInMemoryService } from '@perigee/sdk/testing'
import { badgeState } from './badgeSvg.js'
import { parseConfig } from './config.js'
import { createWebServer } from './createWebServer.js'
import { badgeSlug } from './createServeBadge.js'

let folder: string
let server: Server
let base: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-web-'))
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  await writeFile(join(folder, 'dist/index.html'), '<!doctype html><title>page</title>')
  await writeFile(join(folder, 'dist/assets/a-123.js'), 'export {}')
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await writeFile(join(folder, 'trust.json'), '{"version":"perigee-trust/1"}')
  const env = { VITE_API_URL: 'http://localhost:8080', VITE_CHAIN_ID: '84532', WEB_ROOT: join(folder, 'dist') }
  server = createWebServer(parseConfig({ ...env, VITE_TRUST_ANCHORS_FILE: join(folder, 'trust.json') }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await rm(folder, { recursive: true })
})

async function startBadges(apiUrl: string) {
  const env = { VITE_API_URL: 'http://unreachable.invalid', VITE_CHAIN_ID: '84532', WEB_API_URL: apiUrl }
  const badges = createWebServer(parseConfig(env))
  await new Promise<void>((resolve) => badges.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(badges.address() as AddressInfo).port}/badge/`
  const text = async (name: string) => (await fetch(at + name)).text()
  const close = () => {
    badges.close()
    badges.closeAllConnections()
  }
  return { at, text, close }
}

test('pages, build files, configuration and anchors are served with their types', async () => {
  for (const [path, type, text] of [
    ['/', 'text/html', '<title>page'],
    ['/p/some-slug', 'text/html', '<title>page'],
    ['/assets/a-123.js', 'text/javascript', 'export'],
    ['/config.json', 'application/json', '"chainId":84532'],
    ['/trust-anchors.json', 'application/json', 'perigee-trust/1'],
  ] as const) {
    const response = await fetch(base + path)
    expect(response.status, path).toBe(200)
    expect(response.headers.get('content-type'), path).toContain(type)
    expect(response.headers.get('content-security-policy'), path).toContain("script-src 'self'")
    expect(await response.text(), path).toContain(text)
  }
})

test('a connection that the system cannot accept ends nothing', async () => {
  expect(server.emit('error', new Error('accept ENFILE'))).toBe(true) // without a listener it throws what it was given
  expect((await fetch(base)).status).toBe(200)
})

test('a missing build file is 404, and only reading is allowed', async () => {
  expect((await fetch(`${base}/assets/none.js`)).status).toBe(404)
  const refused = await fetch(base, { method: 'POST' })
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test.each(['/assets/../../secret.txt', '/assets/..%2f..%2fsecret.txt', '/assets/%2e%2e/%2e%2e/secret.txt', '//'])(
  'nothing outside of the build is served: %s',
  async (path) => {
    // Raw, because fetch would tidy the path up before it is sent.
    const body = await new Promise<string>((resolve, reject) => {
      const { port } = new URL(base)
      const asked = request({ host: '127.0.0.1', port, path }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () => resolve(text))
      })
      asked.on('error', reject).end()
    })
    expect(body).not.toContain('secret')
  },
)

test('a badge shows the state that the service reports, on any site, and runs nothing', async () => {
  const service = await startInMemoryService({ publishing: 'manual' })
  const { at, text, close } = await startBadges(`${service.url}/`)
  try {
    const { client } = await fundedClient(service)
    const sign = async () => (await client.signAndSend({ to: `0x${'aa'.repeat(20)}`, value: '0.1' })).attestationSlug
    expect(await text(`${await sign()}.svg`)).toContain('proof under way')
    const failed = await sign()
    service.fail(failed)
    expect(await text(failed)).toContain('proof incomplete')
    const slug = await sign()
    await service.complete(slug)
    const response = await fetch(`${at}${slug}.svg`)
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'")
    const svg = await response.text()
    expect(svg).toContain('simulated') // the in-memory service has no hardware, and the badge must not hide it
    expect(svg).not.toMatch(/<script|<style|href|url\(/)
    expect(await text('no-such-proof.svg')).toContain('no proof found')
  } finally {
    close()
    await service.close()
  }
})

test('a badge asks the service once for many readers, and again a little later', async () => {
  const service = await startInMemoryService({ publishing: 'manual' })
  const { text, close } = await startBadges(service.url)
  try {
    const { client } = await fundedClient(service)
    const { attestationSlug: slug } = await client.signAndSend({ to: `0x${'aa'.repeat(20)}` })
    const asked = () => service.requests.filter((line) => line === `GET /proof/${slug}`).length
    for (const svg of await Promise.all([text(slug), text(slug)])) expect(svg).toContain('proof under way')
    await text(slug)
    expect(asked()).toBe(1)
    service.fail(slug)
    await expect.poll(() => text(slug), { interval: 200 }).toContain('proof incomplete')
  } finally {
    close()
    await service.close()
  }
})

test.each([
  ['is limited', { status: 429, code: 'rate_limited' }],
  ['has failed', { status: 503, code: 'service_unavailable' }],
])('a badge says that the state is unknown when the service %s, and no cache keeps that', async (_, problem) => {
  const service = await startInMemoryService()
  service.inject({ path: '/proof/abc', problem })
  const { at, close } = await startBadges(service.url)
  const response = await fetch(`${at}abc.svg`)
  expect(await response.text()).toContain('state unknown')
  expect(response.headers.get('cache-control')).toBe('no-store')
  close()
  await service.close()
})

test('a badge says that the state is unknown when the service cannot be reached', async () => {
  const { text, close } = await startBadges('http://127.0.0.1:1')
  expect(await text('abc.svg')).toContain('state unknown')
  close()
})

test('a badge claims no more than the answer does', () => {
  expect(badgeState({ status: 'complete', receipt: { simulated: false } })).toBe('complete')
  for (const receipt of [null, {}, { simulated: true }, { simulated: 'false' }]) {
    expect(badgeState({ status: 'complete', receipt })).toBe('simulated')
  }
  for (const answer of [null, 7, {}, { status: '<script>' }]) expect(badgeState(answer)).toBe('unknown')
})

test.each(['/badge/../config.json', '/badge/a%2Fb.svg', '/badge/a/b', '/badge/.svg', '/badge/a?b'])(
  '%s names no proof',
  (path) => {
    expect(badgeSlug(path)).toBeNull()
  },
)

test('configuration names every wrong variable', () => {
  for (const name of ['WEB_PORT', 'WEB_API_URL', 'VITE_API_URL', 'VITE_CHAIN_ID']) {
    expect(() => parseConfig({ WEB_PORT: 'x', WEB_API_URL: 'y' })).toThrow(name)
  }
})
