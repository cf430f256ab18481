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
    if (apiKey && headers.authorization !== `Bearer ${apiKey}`) return end(stream, unauthenticated)
    if (!allows(headers[':path'] ?? '', headers.authorization)) return end(stream, denied)
    if (upstream.destroyed) return end(stream, unavailable)
    const onward = upstream.request({ ...withoutSymbols(headers), ':scheme': 'http', ':authority': target })
    const cancel = () => onward.close(constants.NGHTTP2_CANCEL)
    stream.on('error', cancel).on('close', cancel)
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

/** Ends a call with this status. Permission is denied as Temporal's authoriser denies it. */
function end(stream: ServerHttp2Stream, status: { 'grpc-status': string; 'grpc-message'?: string }): void {
  stream.resume()
  stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...status }, { endStream: true })
}
const denied = { 'grpc-status': '7', 'grpc-message': 'Request unauthorized.' }
const unavailable = { 'grpc-status': '14' }
const unauthenticated = { 'grpc-status': '16' }

function withoutSymbols(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers))
}
