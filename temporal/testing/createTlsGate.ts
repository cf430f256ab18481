import {
  connect,
  constants,
  createSecureServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'

export interface TlsGateOptions {
  /** PEM: the gate's own, and the authority of the clients it lets in. */
  key: Buffer
  cert: Buffer
  ca: Buffer
  /** Let in by this key instead of a certificate, as Temporal Cloud does. */
  apiKey?: string
  /** `host:port` of the server behind it. */
  target: string
  /** Whether an authoriser would let this call through; all by default. */
  allows?: (path: string, authorization: string | undefined) => boolean
}

/**
 * What stands before a Temporal cluster or Temporal Cloud: gRPC over TLS, for clients with a certificate, with a look at
 * who says what. Everything is passed on to a server that speaks without TLS.
 */
export async function createTlsGate({ key, cert, ca, apiKey, target, allows = () => true }: TlsGateOptions) {
  const upstream = connect(`http://${target}`)
  upstream.on('error', () => undefined) // the server behind it went away
  const authorizations = new Set<string | undefined>()
  const server = createSecureServer({ key, cert, ca, requestCert: !apiKey, rejectUnauthorized: !apiKey })
  server.on('sessionError', () => undefined) // a client that was refused, or went away
  server.on('stream', (stream, headers) => {
    authorizations.add(headers.authorization)
    if (apiKey && headers.authorization !== `Bearer ${apiKey}`)
      return stream.respond(unauthenticated, { endStream: true })
    if (!allows(headers[':path'] ?? '', headers.authorization)) return refuse(stream)
    if (upstream.destroyed) return stream.respond(unavailable, { endStream: true })
    const onward = upstream.request({ ...withoutSymbols(headers), ':scheme': 'http', ':authority': target })
    const end = () => onward.close(constants.NGHTTP2_CANCEL)
    stream.on('error', end).on('close', end)
    onward.on('error', () => stream.close(constants.NGHTTP2_CANCEL))
    let trailers: OutgoingHttpHeaders = {}
    onward.on('trailers', (found) => (trailers = withoutSymbols(found)))
    onward.on('response', (answer, flags) => {
      if (stream.destroyed) return
      if (flags & constants.NGHTTP2_FLAG_END_STREAM) return stream.respond(withoutSymbols(answer), { endStream: true })
      stream.respond(withoutSymbols(answer), { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers(trailers))
      onward.pipe(stream)
    })
    stream.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `localhost:${(server.address() as AddressInfo).port}`,
    /** Every `authorization` that a call came with. */
    authorizations,
    close(): void {
      upstream.destroy()
      server.close()
    },
  }
}

const ended = (status: string) => ({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': status })
const [unavailable, unauthenticated] = [ended('14'), ended('16')]

/** As Temporal's authoriser does: permission denied. */
function refuse(stream: ServerHttp2Stream): void {
  stream.resume()
  stream.respond(
    { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '7', 'grpc-message': 'Request unauthorized.' },
    { endStream: true },
  )
}

function withoutSymbols(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers))
}
