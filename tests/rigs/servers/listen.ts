import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/**
 * An HTTP server, or what one answers, on a loopback port: a free one where none is given. An answer that throws fails the
 * test run, unless its client went away in the middle.
 */
export async function listen(what: Answer | Server | HttpsServer, at = 0) {
  const server = typeof what === 'function' ? serverOf(what) : what
  await once(server.listen(at, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function serverOf(answer: Answer): Server {
  return createServer((request, response) => {
    const answered = async () => void (await answer(request, response))
    answered().catch((error: unknown) => {
      const hasLeft = request.destroyed || response.destroyed
      response.destroy()
      if (!hasLeft) throw error
    })
  })
}
