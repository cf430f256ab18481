import type { Server } from 'node:http'
import type { ApiDeps } from './ApiDeps.js'
import { createApp } from './createApp.js'
import { createHttpServer } from './http/createHttpServer.js'

export interface RunningApi {
  port: number
  /**
   * Says "not ready" and ends streams; goes on serving for `drainMs`, until balancers have noticed; then takes nothing
   * new, finishes what is in flight, and returns. What takes longer than `graceMs` is cut.
   */
  close(graceMs?: number, drainMs?: number): Promise<void>
}

/** Serves the API on a port; 0 takes a free one. */
export async function serve(deps: ApiDeps, port: number, host?: string): Promise<RunningApi> {
  const stopping = new AbortController()
  const server = createHttpServer(createApp(deps, stopping.signal), deps)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as { port: number }).port,
    close: async (graceMs = 25_000, drainMs = 0) => {
      stopping.abort()
      if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs))
      await closeServer(server, graceMs)
    },
  }
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    // A connection whose answer was still under way becomes idle later, and its client may keep it for a minute.
    const letGo = setInterval(() => server.closeIdleConnections(), 100)
    server.close(() => {
      clearTimeout(cut)
      clearInterval(letGo)
      resolve()
    })
    server.closeIdleConnections()
  })
}
