import { createHmac, randomBytes } from 'node:crypto'
import { fsyncSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { webhookEvents, type WebhookEvent } from '../../database/index.js'
import type { Random } from '../../tests/createRandom.js'

/** An event that the application accepted: it had the right signature. */
export interface Received {
  id: string
  type: WebhookEvent
  data: Record<string, unknown>
}

/** One delivery in this many is refused, so that attempts are repeated in every run; none more than twice, or the run would wait for it. */
const refusedOneIn = 8
const refusedAtMost = 2

/** An application that subscribes to every event, verifies each, and keeps it on disk before it answers. */
export async function startReceiver(folder: string, random: Random) {
  const log = join(folder, 'webhooks.jsonl')
  const file = join(folder, 'webhooks.json')
  const key = randomBytes(32)
  const secret = `whsec_${key.toString('base64')}`
  const descriptor = openSync(log, 'a')
  const refused = new Map<string, number>()
  const server = createServer((req, res) => {
    void readBody(req).then((body) => {
      const header = (name: string) => String(req.headers[`webhook-${name}`] ?? '')
      const id = header('id')
      const expected = createHmac('sha256', key)
        .update(`${id}.${header('timestamp')}.${body}`)
        .digest('base64')
      if (header('signature') !== `v1,${expected}`) return res.writeHead(401).end()
      const before = refused.get(id) ?? 0
      if (before < refusedAtMost && random.between(1, refusedOneIn) === 1) {
        refused.set(id, before + 1)
        return res.writeHead(503).end()
      }
      const { type, data } = JSON.parse(body) as Received
      writeSync(descriptor, `${JSON.stringify({ id, type, data } satisfies Received)}\n`)
      fsyncSync(descriptor)
      res.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`
  const application = { name: 'soak', url, secrets: [secret], events: webhookEvents }
  writeFileSync(file, JSON.stringify({ applications: [application] }), { mode: 0o600 })
  return {
    /** For `WEBHOOKS_FILE`. */
    file,
    log,
    secret,
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}

export function readReceived(log: string): Received[] {
  const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Received)
}

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
