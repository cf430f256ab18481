import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { TrustAnchors } from '@perigee/core/receipt'
import { startInMemoryService, type InMemoryService } from '@perigee/sdk/testing'
import { listen } from '../../rigs/servers/listen.js'
import { buildPages } from '../buildPages.js'
import { servePages } from './serveWorld.js'

export type Pages = Awaited<ReturnType<typeof startPages>>

/** The production build behind the production server, on the in-memory service. Visitors are offered these trust anchors. */
export async function startPages(anchors: TrustAnchors) {
  const folder = await mkdtemp(join(tmpdir(), 'perigee-pages-'))
  await buildPages(folder)
  const service = await startInMemoryService({ publishing: 'manual', contractAddress: anchors.contracts[0]!.address })
  const blocks = new Map<string, Uint8Array>()
  const gateway = await startGateway(blocks, service)
  const { url, close } = await servePages(folder, anchors, {
    VITE_API_URL: service.url,
    VITE_CHAIN_ID: String(service.chainId),
    VITE_RPC_URL: service.rpcUrl,
    VITE_IDENTITY_PROVIDER: 'dev',
    VITE_IPFS_GATEWAY_URL: gateway.url,
  })
  return {
    url,
    /** Of the build. */
    folder,
    service,
    /** More for the gateway to give: bytes by CID. */
    blocks,
    /** The requests to the service since so many, other than to its chain. */
    askedSince: (before: number) => service.requests.slice(before).filter((line) => !line.startsWith('RPC')),
    /** Gzipped bytes of the build's files whose name matches. */
    async gzipped(name: RegExp) {
      const files = (await readdir(join(folder, 'assets'))).filter((file) => name.test(file))
      if (files.length === 0) throw new Error(`no file of the build matches ${name}`)
      const sizes = files.map(async (file) => gzipSync(await readFile(join(folder, 'assets', file))).length)
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    },
    async close() {
      await Promise.all([close(), gateway.close(), service.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** An IPFS gateway: what the service pinned, and the blocks of the test. */
function startGateway(blocks: Map<string, Uint8Array>, service: InMemoryService) {
  return listen(async (request, response) => {
    const cid = new URL(request.url ?? '/', 'http://gateway').pathname.split('/')[2] ?? ''
    const block = blocks.get(cid)
    const pinned = block ? null : await fetch(`${service.url}/ipfs/${cid}`)
    const bytes = block ?? (pinned?.ok ? new Uint8Array(await pinned.arrayBuffer()) : null)
    response.writeHead(bytes ? 200 : 404, { 'access-control-allow-origin': '*' }).end(bytes)
  })
}
