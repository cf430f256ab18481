import { createServer, type Server } from 'node:http'
import type { ApiDeps } from './ApiDeps.js'
import { createApp } from './createApp.js'

export interface RunningApi {
  port: number
  /** Says "not ready", ends streams, finishes what is in flight, and returns; what takes longer than `graceMs` is cut. */
  close(graceMs?: number): Promise<void>
}

/** Serves the API on a port; 0 takes a free one. */
export async function serve(deps: ApiDeps, port: number, host?: string): Promise<RunningApi> {
  const stopping = new AbortController()
  const server = createServer(createApp(deps, stopping.signal))
  // A client that sends or reads slowly must not hold a connection for ever.
  server.headersTimeout = 10_000
  server.requestTimeout = 20_000
  server.keepAliveTimeout = 65_000
  server.maxRequestsPerSocket = 10_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as { port: number }).port,
    close: (graceMs = 25_000) => {
      stopping.abort()
      return closeServer(server, graceMs)
    },
  }
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}
