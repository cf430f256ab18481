import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Changes an honest answer. `silent`: one byte and then nothing. `endless`: zeros forever. */
export type Lie = 'silent' | 'endless' | ((answer: Buffer, asked: { path: string; body: string }) => Buffer | string)

export interface Liar {
  url: string
  /** How many requests it has had. */
  asked: number
  tell(lie: Lie | null): void
  close(): Promise<void>
}

/** Stands before an honest server, for CLI and pages alike, and lies as told. */
export async function startLiar(honest: string): Promise<Liar> {
  let lie: Lie | null = null
  const server = createServer((request, response) => {
    liar.asked += 1
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const path = request.url ?? '/'
    if (lie === 'silent') return void response.writeHead(200, cors).write('{')
    if (lie === 'endless') return pour(response.writeHead(200, cors))
    const found = await fetch(honest + path, { method: request.method ?? 'GET', ...(body !== '' && { body }) })
    const bytes = Buffer.from(await found.arrayBuffer())
    const type = found.headers.get('content-type') ?? 'application/octet-stream'
    response.writeHead(found.status, { ...cors, 'content-type': type }).end(lie ? lie(bytes, { path, body }) : bytes)
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const liar: Liar = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: 0,
    tell: (next) => void (lie = next),
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
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
