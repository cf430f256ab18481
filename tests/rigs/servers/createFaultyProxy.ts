import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from './listen.js'

/** What the way to a server does with a request. `cut-answer`: the server hears it, and the caller never hears back. */
export type Fault = 'none' | 'down' | 'hang' | 'refuse' | 'full' | 'cut-answer' | 'garble' | 'other-cid'

/** An HTTP proxy before a real server that can be told to fail in the ways networks and servers do. */
export async function createFaultyProxy(target: string) {
  let fault: Fault = 'none'
  let applies: (body: string) => boolean = () => true
  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const now = applies(body.toString('latin1') + (incoming.url ?? '')) ? fault : 'none'
    if (now === 'down') return void incoming.socket.destroy()
    if (now === 'hang') return
    if (now === 'refuse') return void outgoing.writeHead(403).end('refused')
    if (now === 'full') return void outgoing.writeHead(500, json).end(noSpace)
    const headers = { ...incoming.headers, host: new URL(target).host, 'content-length': String(body.length) }
    delete (headers as Record<string, unknown>)['transfer-encoding']
    const onward = forward(new URL(incoming.url ?? '/', target), { method: incoming.method, headers }, (answer) => {
      if (now === 'cut-answer') return void incoming.socket.destroy()
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('data', (chunk: Buffer) => outgoing.write(spoil(chunk, now)))
      answer.on('end', () => outgoing.end())
    })
    onward.on('error', () => incoming.socket.destroy())
    onward.end(body)
  }

  const { url, close } = await listen(handle)
  return {
    url,
    close,
    /** From now on; `when` chooses requests by their body and path. */
    set(next: Fault, when: (bodyAndPath: string) => boolean = () => true): void {
      fault = next
      applies = when
    },
  }
}

export type FaultyProxy = Awaited<ReturnType<typeof createFaultyProxy>>

/** As Kubo says it when its disk is full. */
const json = { 'content-type': 'application/json' }
const noSpace = JSON.stringify({ Message: 'write: no space left on device', Code: 0, Type: 'error' })

/** Same length, other bytes: what a broken disk or a liar gives. */
function spoil(chunk: Buffer, fault: Fault): Buffer {
  if (fault === 'garble') return Buffer.from(chunk.map((byte) => (byte === 0x22 ? 0x27 : byte)))
  if (fault === 'other-cid') return Buffer.from(chunk.toString('latin1').replace(/bafkrei[a-z2-7]{4}/, 'bafkreiaaaa'))
  return chunk
}
