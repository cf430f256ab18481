import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { listen } from '../../../tests/rigs/servers/listen.js'

const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

/** Serves a built page, on a free port where none is given. */
export async function serveFolder(folder: string, at = 0) {
  const { port, close } = await listen((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname
    const type = types[extname(path)] ?? 'text/html'
    readFile(join(folder, path === '/' ? 'index.html' : path)).then(
      (bytes) => response.writeHead(200, { 'content-type': type }).end(bytes),
      () => response.writeHead(404).end(),
    )
  }, at)
  return { url: `http://localhost:${port}/`, close }
}
