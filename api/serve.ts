import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiDeps } from './ApiDeps.js'
import { createApp } from './createApp.js'
import { createHttpServer } from './http/createHttpServer.js'

/** Serves the API on a port; 0 takes a free one. */
export async function serve(deps: ApiDeps, port: number, host?: string) {
  const stopping = new AbortController()
  const server = createHttpServer(createApp(deps, stopping.signal), deps)
  await once(server.listen(port, host), 'listening')
  return {
    port: (server.address() as { port: number }).port,
    /**
     * Reports not ready and ends streams, keeps serving for `drainMs` so that load balancers notice, then accepts nothing
     * new, finishes the requests in flight and returns. Requests that take longer than `graceMs` are cut.
     */
    close: async (graceMs = 25_000, drainMs = 0) => {
      stopping.abort()
      await sleep(drainMs)
      await closeServer(server, graceMs)
    },
  }
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    // A connection that was busy becomes idle later, and its client may keep it open for a minute.
    const letGo = setInterval(() => server.closeIdleConnections(), 100)
    server.close(() => {
      clearTimeout(cut)
      clearInterval(letGo)
      resolve()
    })
    server.closeIdleConnections()
  })
}
