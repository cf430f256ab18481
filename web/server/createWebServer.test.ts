import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from './config.js'
import { createWebServer } from './createWebServer.js'

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

test('a missing build file is 404, and only reading is allowed', async () => {
  expect((await fetch(`${base}/assets/none.js`)).status).toBe(404)
  expect((await fetch(base, { method: 'POST' })).status).toBe(405)
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

test('configuration names every wrong variable', () => {
  for (const name of ['WEB_PORT', 'VITE_API_URL', 'VITE_CHAIN_ID']) {
    expect(() => parseConfig({ WEB_PORT: 'x' })).toThrow(name)
  }
})
