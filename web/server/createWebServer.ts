import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { contentSecurityPolicy } from '../config/contentSecurityPolicy.js'
import type { WebServerConfig } from './config.js'
import { badgeSlug, createServeBadge } from './createServeBadge.js'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.map': 'application/json',
}

/** Serves the static build, its configuration and the trust anchors, under a policy that allows nothing else. */
export function createWebServer({ root, trustAnchorsFile, apiUrl, web }: WebServerConfig): Server {
  const headers = {
    'content-security-policy': contentSecurityPolicy(web),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer', // proof links stay private
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  }
  const serveBadge = createServeBadge(apiUrl)
  const send = (response: ServerResponse, status: number, type: string, cache: string, body: string | Uint8Array) =>
    response.writeHead(status, { ...headers, 'content-type': type, 'cache-control': cache }).end(body)

  async function answer(path: string, response: ServerResponse): Promise<void> {
    const json = types['.json'] as string
    if (path === '/config.json') return void send(response, 200, json, 'no-cache', JSON.stringify(web))
    if (path === '/trust-anchors.json') {
      const bytes = trustAnchorsFile === null ? null : await readOrNull(trustAnchorsFile)
      return void (bytes ? send(response, 200, json, 'no-cache', bytes) : send(response, 404, json, 'no-cache', '{}'))
    }
    const badge = badgeSlug(path)
    if (badge !== null) return serveBadge(badge, response)
    // Build files have their hash in the name. Every other path is a page, and the script decides what it shows.
    if (path.startsWith('/assets/') || path === '/icon.svg') {
      const bytes = await readOrNull(join(root, normalize(path)))
      const forever = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
      if (!bytes) return void send(response, 404, 'text/plain', 'no-cache', 'not found')
      return void send(response, 200, types[extname(path)] ?? 'application/octet-stream', forever, bytes)
    }
    const page = await readFile(join(root, 'index.html'))
    send(response, 200, types['.html'] as string, 'no-cache', page)
  }

  const server = createServer((request, response) => {
    const { method, url = '/' } = request
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      return void send(response, 405, 'text/plain', 'no-cache', 'GET only')
    }
    // Parsing and `normalize` keep an attacker's `..` inside the root.
    const path = pathOf(url)
    answer(path, response).catch(() => send(response, 500, 'text/plain', 'no-cache', 'the page could not be read'))
  })
  // Nothing else hears of a connection that could not be accepted, and an error nobody hears ends the process.
  server.once('listening', () => server.on('error', ({ message }) => console.error(`not accepted: ${message}`)))
  return server
}

async function readOrNull(file: string): Promise<Uint8Array | null> {
  return readFile(file).catch(() => null)
}

function pathOf(url: string): string {
  return URL.canParse(url, 'http://web') ? new URL(url, 'http://web').pathname : '/'
}
