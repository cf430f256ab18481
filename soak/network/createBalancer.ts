import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '../../tests/rigs/servers/listen.js'

interface Backend {
  port: number
  ready: boolean
}

const lookEveryMs = 1_000
const lookTimeoutMs = 2_000
const answerTimeoutMs = 30_000

/**
 * A usual load balancer: round robin over the APIs whose `/health/serving` is good, as Kubernetes probes them. A request
 * whose connection ended without an answer goes to the next API if it is safe to repeat (a GET, or one with an
 * Idempotency-Key). Its own answers are 502.
 */
export async function createBalancer(apiPorts: readonly number[], listenPort = 0) {
  const backends: Backend[] = apiPorts.map((port) => ({ port, ready: false }))
  let turn = 0
  let resent = 0

  const look = async (backend: Backend): Promise<void> => {
    const signal = AbortSignal.timeout(lookTimeoutMs)
    const answer = await fetch(`http://127.0.0.1:${backend.port}/health/serving`, { signal }).catch(() => undefined)
    await answer?.body?.cancel()
    backend.ready = answer?.status === 200
  }
  let watching = true
  for (const backend of backends) void watch(backend)
  async function watch(backend: Backend): Promise<void> {
    while (watching) {
      await look(backend)
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    }
  }

  /** Ready ones first, each once. */
  function order(): Backend[] {
    const from = turn++ % backends.length
    const rotated = [...backends.slice(from), ...backends.slice(0, from)]
    return [...rotated.filter(({ ready }) => ready), ...rotated.filter(({ ready }) => !ready)]
  }

  async function handle(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    incoming.on('error', () => undefined)
    const body = await buffer(incoming)
    const repeatable = incoming.method === 'GET' || incoming.headers['idempotency-key'] !== undefined
    for (const [index, backend] of order().entries()) {
      if (index > 0) resent++
      const { connected, response } = await ask(backend, incoming, body)
      if (response) {
        answer.writeHead(response.statusCode ?? 502, withoutHop(response.headers))
        response.once('error', () => answer.destroy())
        response.pipe(answer)
        return
      }
      backend.ready = false
      if (connected && !repeatable) break
    }
    answer.writeHead(502, { 'content-type': 'text/plain' }).end('no API answered')
  }

  const server = await listen(handle, listenPort)
  return {
    port: server.port,
    /** APIs that were ready when last asked. */
    ready: () => backends.filter(({ ready }) => ready).length,
    /** Requests sent to a second API because the first connection ended without an answer. */
    resent: () => resent,
    close(): Promise<void> {
      watching = false
      return server.close()
    },
  }
}

export type Balancer = Awaited<ReturnType<typeof createBalancer>>

/** A new connection for every request, so that none is closed just as it is reused. */
function ask(
  { port }: Backend,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<{ connected: boolean; response?: IncomingMessage }> {
  return new Promise((resolve) => {
    let connected = false
    const options = { host: '127.0.0.1', port, method, path: url, agent: false as const, timeout: answerTimeoutMs }
    const outgoing = request({ ...options, headers: { ...withoutHop(headers), connection: 'close' } })
    outgoing.once('socket', (socket) => socket.once('connect', () => (connected = true)))
    outgoing.once('response', (response) => resolve({ connected, response }))
    outgoing.once('timeout', () => outgoing.destroy())
    outgoing.once('error', () => resolve({ connected }))
    outgoing.end(body)
  })
}

function withoutHop<T extends IncomingMessage['headers']>(headers: T): T {
  const { connection: _1, 'keep-alive': _2, 'transfer-encoding': _3, ...rest } = headers
  return rest as T
}
