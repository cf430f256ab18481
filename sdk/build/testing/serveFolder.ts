import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** Serves a built page on a free port. */
export async function serveFolder(folder: string) {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html'
    readFile(join(folder, path === '/' ? 'index.html' : path)).then(
      (bytes) => response.writeHead(200, { 'content-type': type }).end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}
