import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseBehaviour, type Behaviour } from './behaviour.js'
import { makeSample, type WireSample } from './makeSample.js'
import type { SatelliteIdentity } from './identity.js'

export interface SatelliteDeps {
  identity: SatelliteIdentity
  nextSequence: () => bigint
  now?: () => number
}

const maxCount = 32

/**
 * The satellite stand-in over HTTP: `POST /v1/samples {count}`, `GET /v1/key`, `GET /health`, and for tests
 * `POST /admin/behaviour`. For loopback in development only: anyone who reaches the port can give it orders.
 */
export function createSatelliteServer({ identity, nextSequence, now = Date.now }: SatelliteDeps): Server {
  let behaviour: Behaviour = { mode: 'normal' }
  let last: WireSample[] = []

  async function samples(count: number, response: ServerResponse): Promise<void> {
    const order = behaviour
    if (order.requests !== undefined) {
      behaviour = order.requests > 1 ? { ...order, requests: order.requests - 1 } : { mode: 'normal' }
    }
    if (order.mode === 'hang') return
    if (order.mode === 'delay') await sleep(order.delayMs)
    if (order.mode === 'garble') return void response.writeHead(200).end('<html>not a sample')
    if (order.mode === 'fail') {
      if (order.retryAfterSeconds !== undefined) response.setHeader('retry-after', order.retryAfterSeconds)
      return reply(response, order.status ?? 500, { message: 'told to fail' })
    }
    if (order.mode !== 'repeat' || last.length === 0) {
      const lie = order.mode === 'lie' ? order.about : undefined
      last = Array.from({ length: count }, () => makeSample(identity, nextSequence, now(), lie))
    }
    reply(response, 200, { samples: last.slice(0, count) })
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = `${request.method} ${request.url}`
    if (asked === 'GET /health') return reply(response, 200, { ok: true, behaviour })
    if (asked === 'GET /v1/key') {
      return reply(response, 200, {
        keyId: identity.keyId,
        algorithm: identity.algorithm,
        publicKey: identity.publicKey,
      })
    }
    if (asked !== 'POST /v1/samples' && asked !== 'POST /admin/behaviour')
      return reply(response, 404, { message: 'no' })
    // A web page can post text to loopback without a preflight, but not JSON.
    if (request.headers['content-type'] !== 'application/json') return reply(response, 415, { message: 'JSON only' })
    const body = await readJson(request)
    if (asked === 'POST /admin/behaviour') {
      const order = parseBehaviour(body)
      if (order === null) return reply(response, 400, { message: 'unknown behaviour' })
      behaviour = order
      return reply(response, 200, { behaviour })
    }
    const count = (body as { count?: unknown } | null)?.count
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > maxCount) {
      return reply(response, 400, { message: `count must be 1 to ${maxCount}` })
    }
    await samples(count, response)
  }

  return createServer((request, response) => {
    route(request, response).catch(() => reply(response, 400, { message: 'malformed request' }))
  })
}

function reply(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > 1024) throw new Error('too long')
  }
  return JSON.parse(text)
}
