import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../tests/rigs/servers/listen.js'

/** Changes an honest answer. `silent`: one byte and then nothing. `endless`: zeros forever. */
export type Lie = 'silent' | 'endless' | ((answer: Buffer, asked: { path: string; body: string }) => Buffer | string)

export type Liar = Awaited<ReturnType<typeof startLiar>>

/** Stands before an honest server, for CLI and pages alike, and lies as told. */
export async function startLiar(honest: string) {
  let lie: Lie | null = null
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end()
    const body = await text(request)
    const path = request.url ?? '/'
    if (lie === 'silent') return void response.writeHead(200, cors).write('{')
    if (lie === 'endless') return pour(response.writeHead(200, cors))
    const found = await fetch(honest + path, { method: request.method ?? 'GET', ...(body !== '' && { body }) })
    const bytes = Buffer.from(await found.arrayBuffer())
    const type = found.headers.get('content-type') ?? 'application/octet-stream'
    response.writeHead(found.status, { ...cors, 'content-type': type }).end(lie ? lie(bytes, { path, body }) : bytes)
  }

  const { url, close } = await listen((request, response) => {
    liar.asked += 1
    return answer(request, response)
  })
  /** `asked`: how many requests it has had. */
  const liar = { url, close, asked: 0, tell: (next: Lie | null) => void (lie = next) }
  return liar
}

function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024)
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}
