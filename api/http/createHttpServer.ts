import { randomBytes } from 'node:crypto'
import { createServer, STATUS_CODES, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { describeError, ServiceError, type ErrorCode } from '@perigee/core'
import type { ApiDeps } from '../ApiDeps.js'
import { toProblem } from './problem.js'

/** A client that sends slowly must not hold a connection forever. `checkMs`: how often the other two are checked. */
const defaults = { headersMs: 10_000, requestMs: 20_000, checkMs: 2_000 }

/** Node's HTTP server. Requests too malformed, large or slow to reach the app get problem+json as well. */
export function createHttpServer(
  app: RequestListener,
  { logger, meter }: Pick<ApiDeps, 'logger' | 'meter'>,
  timeouts = defaults,
): Server {
  const server = createServer({
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.checkMs,
    keepAliveTimeout: 65_000,
    requireHostHeader: false, // `requireHost` answers with a problem
  })
  server.maxRequestsPerSocket = 10_000

  const inFlight = new WeakMap<Duplex, Set<ServerResponse>>()
  const answer: RequestListener = (req, res) => {
    const ofSocket = inFlight.get(req.socket) ?? new Set()
    inFlight.set(req.socket, ofSocket.add(res))
    res.once('close', () => ofSocket.delete(res))
    app(req, res)
  }
  server.on('request', answer)
  server.on('checkExpectation', answer) // an expectation that we do not know may be ignored (RFC 9110, 10.1.1)

  // Nothing else hears of a connection that could not be accepted, and an error nobody hears ends the process.
  server.once('listening', () =>
    server.on('error', (error) => logger.warn(describeError(error), 'a connection was not accepted')),
  )

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Once an answer has started, a problem would become part of it.
    const answering = [...(inFlight.get(socket) ?? [])].some((res) => res.headersSent)
    if (error.code === 'ECONNRESET' || !socket.writable || answering) return void socket.destroy()
    const [parserCode, detail] = problems[error.code ?? ''] ?? unreadable
    const known = new ServiceError(parserCode, detail)
    const requestId = randomBytes(12).toString('base64url')
    meter.requestStarted()
    const { status, code } = known
    meter.requestEnded({ method: 'other', route: 'none', status, seconds: 0, code, finished: true })
    logger.info({ requestId, status, code, error: error.code }, 'request could not be read')
    socket.end(rawProblem(known, requestId), () => socket.destroy())
  })
  return server
}

/** By the error codes of Node's parser. */
const problems: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'address and headers together are larger than 16 kB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'the chunk extensions of the body are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'the request did not arrive in time'],
}

const unreadable: [ErrorCode, string] = ['invalid_request', 'this is not HTTP/1.1']

function rawProblem(error: ServiceError, requestId: string): string {
  const body = JSON.stringify(toProblem(error, requestId))
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `x-request-id: ${requestId}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}
