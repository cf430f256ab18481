import { text } from 'node:stream/consumers'
import { nodeOf } from '../../core/receipt/gather/testing/nodeOf.js'
import { listen } from '../../tests/rigs/servers/listen.js'

type Answer = { status?: number; type?: string; body: string | Uint8Array }
export type TestServer = Awaited<ReturnType<typeof serve>>

/** An HTTP server on a free port. `asked`: paths asked for, in order. */
export async function serve(answer: (path: string, body: string) => Answer | null | Promise<Answer>) {
  const asked: string[] = []
  const { url, close } = await listen(async (request, response) => {
    const body = await text(request)
    asked.push(request.url ?? '')
    const given = await answer(request.url ?? '', body)
    const found = given ?? { status: 404, body: 'not found' }
    response.writeHead(found.status ?? 200, { 'content-type': found.type ?? 'application/json' })
    response.end(found.body)
  })
  return { url, asked, close }
}

/** A trustless gateway: raw blocks by CID, nothing else. */
export function serveBlocks(blocks: Record<string, Uint8Array>): Promise<TestServer> {
  return serve((path) => {
    const match = /^\/ipfs\/(b[a-z2-7]+)\?format=raw$/.exec(path)
    const body = blocks[match?.[1] ?? '']
    return body === undefined ? null : { type: 'application/vnd.ipld.raw', body }
  })
}

/** A node on HTTP that holds these events. */
export function serveChain(...given: Parameters<typeof nodeOf>): Promise<TestServer> {
  const call = nodeOf(...given)
  return serve(async (_, body) => {
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown[] }
    const answer = await call(method, params).then(
      (result) => ({ result }),
      (error: Error) => ({ error: { code: -32000, message: error.message } }),
    )
    return { body: JSON.stringify({ jsonrpc: '2.0', id, ...answer }) }
  })
}
