import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Registry } from 'prom-client'

/**
 * `GET /metrics` for Prometheus, on an address of its own: metrics are for operators, and a scrape must succeed even
 * while the public port is flooded.
 */
export async function serveMetrics(registry: Registry, { host, port }: { host: string; port: number }) {
  const server = createServer((req, res) => {
    if (req.url !== '/metrics' || (req.method !== 'GET' && req.method !== 'HEAD')) {
      res.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => res.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => res.writeHead(500).end(),
    )
  })
  server.requestTimeout = 10_000
  await once(server.listen(port, host), 'listening')
  server.on('error', () => undefined) // a scrape that could not be accepted: Prometheus counts it
  return {
    port: (server.address() as { port: number }).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
