import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { webhookEvents, type WebhookEvent } from '../../database/index.js'
import type { Random } from '../../tests/createRandom.js'
import { startReceiver } from '../../tests/rigs/servers/startReceiver.js'
import { openLines } from './jsonLines.js'

/** An event that the application accepted: it had the right signature. */
export interface AcceptedEvent {
  id: string
  type: WebhookEvent
  data: Record<string, unknown>
}

/** One delivery in this many is refused, so that attempts are repeated in every run; none more than twice, or the run would wait for it. */
const refusedOneIn = 8
const refusedAtMost = 2

/** An application that subscribes to every event, verifies each, and keeps it on disk before it answers. */
export async function startApplication(folder: string, random: Random) {
  const log = join(folder, 'webhooks.jsonl')
  const file = join(folder, 'webhooks.json')
  const keep = openLines<AcceptedEvent>(log)
  const refused = new Map<string, number>()
  const receiver = await startReceiver()
  const { url, secret, close } = receiver
  receiver.answers((_, response, { id, body, verified }) => {
    receiver.received.length = 0 // the log keeps them; a long run would fill the memory
    if (!verified) return response.writeHead(401).end()
    const before = refused.get(id) ?? 0
    if (before < refusedAtMost && random.between(1, refusedOneIn) === 1) {
      refused.set(id, before + 1)
      return response.writeHead(503).end()
    }
    const { type, data } = JSON.parse(body) as AcceptedEvent
    keep({ id, type, data })
    response.writeHead(204).end()
  })
  const application = { name: 'soak', url, secrets: [secret], events: webhookEvents }
  writeFileSync(file, JSON.stringify({ applications: [application] }), { mode: 0o600 })
  /** `file` is for `WEBHOOKS_FILE`. */
  return { file, log, secret, close }
}
