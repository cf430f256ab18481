import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { sha384 } from '@noble/hashes/sha2'
import { replayRtmr3, type RuntimeEvent } from '@perigee/core/measurements'
import { mintQuote, type TdxQuoteKeys } from '@perigee/core/simulation'

const runtimeEventType = 0x08000001

/** dstack's digest of a run-time event. */
const digestOf = ({ event, payload }: RuntimeEvent) => {
  const type = Buffer.alloc(4)
  type.writeUInt32LE(runtimeEventType)
  const measured = Buffer.concat([type, Buffer.from(`:${event}:`), Buffer.from(payload, 'hex')])
  return Buffer.from(sha384(measured)).toString('hex')
}

export interface GuestAgentOptions {
  socket: string
  keys: TdxQuoteKeys
  events: RuntimeEvent[]
  /** The key service's root; random when left out. */
  rootKey?: Uint8Array
  /** The application: another one gets other keys from the same root. */
  appId?: string
  /** How a faulty or lying agent changes its answers. */
  tamper?(answer: Record<string, unknown>, path: string): Record<string, unknown>
}

/**
 * dstack's guest agent on its unix socket: `POST /GetKey`, `/GetQuote`, `/Info`, JSON both ways, hex without 0x. Keys
 * are derived from the key service's root by app id and path, not by build; quotes are real ones over the machine's RTMR3.
 */
export async function serveGuestAgent(options: GuestAgentOptions) {
  const { socket, keys, events, tamper = (answer) => answer } = options
  const { rootKey = randomBytes(32), appId = 'ab'.repeat(20) } = options
  const log = events.map((event) => ({
    imr: 3,
    event_type: runtimeEventType,
    digest: digestOf(event),
    event: event.event,
    event_payload: event.payload,
  }))
  const boot = [{ imr: 0, event_type: 0x80000008, digest: 'ab'.repeat(48), event: '', event_payload: '00' }]
  const operations: Record<string, (body: Record<string, string>) => Record<string, unknown>> = {
    '/GetKey': ({ path = '', purpose = '' }) => {
      const key = Buffer.from(hkdfSync('sha256', rootKey, appId, path, 32))
      const signature = createHmac('sha256', rootKey).update(purpose).digest('hex')
      return { key: key.toString('hex'), signature_chain: [signature] }
    },
    '/GetQuote': ({ report_data = '' }) => {
      const reportData = new Uint8Array(64)
      reportData.set(Buffer.from(report_data, 'hex')) // shorter data is padded with zeros
      const quote = mintQuote({ reportData, rtmr3: replayRtmr3(events) }, keys)
      const event_log = JSON.stringify([...boot, ...log])
      return { quote: Buffer.from(quote).toString('hex'), event_log, report_data, vm_config: '{}' }
    },
    '/Info': () => ({
      app_id: appId,
      instance_id: 'cd'.repeat(20),
      tcb_info: JSON.stringify({ rtmr3: replayRtmr3(events).slice(2), event_log: log }),
    }),
  }
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? ''
    const operation = request.method === 'POST' ? operations[path] : undefined
    const body = JSON.parse((await text(request)) || '{}') as Record<string, string>
    const given = JSON.stringify(operation ? tamper(operation(body), path) : { error: 'no such method' })
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(given) }
    response.writeHead(operation ? 200 : 404, headers).end(given)
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy()) // the client went away in the middle of its request
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  return {
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
