import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { isErrorCode, parseStrictJson, ServiceError } from '@perigee/core'

export interface ServerOptions {
  tls: { cert: Buffer; key: Buffer; clientCa: Buffer }
  /** When not empty, only clients with one of these public keys (SHA-256 of SPKI, hex) are served. */
  clientKeys: readonly string[]
  deadlineMs: number
  operations: Readonly<Record<string, (body: unknown) => Promise<unknown>>>
  log(line: Record<string, string | number>): void
}

const maxBodyBytes = 256 * 1024

/** The enclave's HTTPS server: TLS 1.3, a client certificate of the pinned issuer, bounded bodies, a deadline per request. */
export function createEnclaveServer(options: ServerOptions): Server {
  const { tls, deadlineMs, log } = options
  const server = createServer(
    {
      cert: tls.cert,
      key: tls.key,
      ca: tls.clientCa,
      requestCert: true,
      rejectUnauthorized: true, // strangers fail in the handshake: our code parses none of their bytes
      minVersion: 'TLSv1.3',
      requestTimeout: deadlineMs,
      headersTimeout: deadlineMs,
      keepAliveTimeout: 65_000,
    },
    (request, response) => {
      const startedAt = performance.now()
      const operation = `${request.method} ${request.url}`
      answer(request, options).then(
        (result) => send(response, 200, result),
        (error: unknown) => {
          const { code, message, facts, status } = publicError(error)
          log({ operation: operation.slice(0, 64), code, ms: Math.round(performance.now() - startedAt) })
          send(response, status, { code, message, facts })
        },
      )
    },
  )
  server.on('tlsClientError', (error: NodeJS.ErrnoException) =>
    log({ operation: 'handshake', code: error.code ?? 'tls' }),
  )
  // Nothing else hears of a connection that could not be accepted, and an error nobody hears ends the process.
  server.once('listening', () =>
    server.on('error', (error: NodeJS.ErrnoException) => log({ operation: 'accept', code: error.code ?? 'unknown' })),
  )
  return server
}

async function answer(request: IncomingMessage, options: ServerOptions): Promise<unknown> {
  checkClientKey(request.socket as TLSSocket, options.clientKeys)
  const name = `${request.method} ${request.url}`
  const operation = Object.hasOwn(options.operations, name) ? options.operations[name] : undefined
  if (!operation) throw new ServiceError('not_found', 'the enclave has no such operation')
  const body = request.method === 'GET' ? undefined : parseJson(await readBody(request))
  return withDeadline(operation(body), options.deadlineMs)
}

function checkClientKey(socket: TLSSocket, allowed: readonly string[]): void {
  if (allowed.length === 0) return
  const spki = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' })
  if (!spki || !allowed.includes(createHash('sha256').update(spki).digest('hex'))) {
    throw new ServiceError('client_not_authenticated', 'this client key is not pinned')
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBodyBytes) throw new ServiceError('payload_too_large', `at most ${maxBodyBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A member named twice is refused: two programs could read two requests. Which characters a text may hold, its own check says. */
function parseJson(text: string): unknown {
  try {
    return parseStrictJson(text, { maxLength: maxBodyBytes, anyScalar: true })
  } catch (cause) {
    throw new ServiceError('invalid_request', 'the body is not JSON, or names a member twice', {}, cause)
  }
}

/** The work itself cannot be stopped; its answer is dropped, and the caller may retry with a new nonce. */
async function withDeadline<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const busy = new ServiceError('enclave_busy', 'the enclave did not finish in time')
    timer = setTimeout(() => reject(busy), deadlineMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** The text of an unexpected error is not sent: it might contain secrets. */
function publicError(error: unknown): ServiceError {
  if (error instanceof ServiceError && isErrorCode(error.code)) return error
  return new ServiceError('internal_error', 'the enclave failed; its log has the operation and the time')
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}
