import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Forge = (params: unknown[]) => unknown

/** An RPC that lies: it asks a true one, except for the methods that are forged. */
export async function startForgingRpc(target: string, forged: Record<string, Forge>) {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks).toString('utf8')
      const { id, method, params } = JSON.parse(body) as { id: number; method: string; params?: unknown[] }
      const forge = forged[method]
      response.setHeader('content-type', 'application/json')
      if (forge) return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: forge(params ?? []) }))
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(target, { method: 'POST', headers, body })
      return response.end(await answer.text())
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
