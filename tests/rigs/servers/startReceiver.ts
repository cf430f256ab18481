import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { listen } from './listen.js'

/** A request as an application got it. */
export interface Received {
  id: string
  headers: IncomingHttpHeaders
  body: string
  /** Whether the signature and the time are right, checked as an application does. */
  verified: boolean
}

type Answer = (request: IncomingMessage, response: ServerResponse, received: Received) => void

export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** A real application: it listens, verifies and keeps what it gets, and answers 204 unless it is told otherwise. */
export async function startReceiver(secret = newWebhookSecret()) {
  const received: Received[] = []
  let answer: Answer = (_, response) => response.writeHead(204).end()
  const { url, port, close } = await listen(async (request, response) => {
    const { headers } = request
    const body = await text(request)
    const event = { id: String(headers['webhook-id']), headers, body, verified: isSigned(headers, body, secret) }
    received.push(event)
    answer(request, response, event)
  })

  return {
    url: `${url}/hooks`,
    port,
    close,
    secret,
    received,
    /** How it answers from now on. */
    answers(next: number | Answer): void {
      answer = typeof next === 'number' ? (_, response) => response.writeHead(next).end() : next
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** As Standard Webhooks tells receivers to do, by hand. */
function isSigned(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])]
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .map((each) => each.split(','))
    .some(([version, signature = '']) => {
      const given = Buffer.from(signature, 'base64')
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
    })
}

/** A `WEBHOOKS_FILE` with these applications. */
export async function writeWebhooksFile(applications: object[]) {
  const dir = await mkdtemp(join(tmpdir(), 'perigee-webhooks-'))
  const path = join(dir, 'webhooks.json')
  await writeFile(path, JSON.stringify({ applications }))
  return { path, remove: () => rm(dir, { recursive: true }) }
}
