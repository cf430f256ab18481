import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TrustAnchors } from '@perigee/core/receipt'
import type { HostileWorld } from '../../../verifier/testing/hostileWorld.js'
import { parseConfig } from '../../../web/server/config.js'
import { createWebServer } from '../../../web/server/createWebServer.js'
import { listen } from '../../rigs/servers/listen.js'

export type Served = Awaited<ReturnType<typeof servePages>>

/** The build in `folder` behind the production server, on a service, a gateway and a node of the test's own. */
export async function serveWorld(
  folder: string,
  { asked, proof, service, gateway, node }: HostileWorld,
): Promise<Served> {
  return servePages(folder, asked.anchors, {
    VITE_API_URL: service.url,
    VITE_CHAIN_ID: String(proof.chainId),
    VITE_RPC_URL: node.url,
    VITE_IPFS_GATEWAY_URL: gateway.url,
  })
}

let served = 0

/** The build in `folder` behind the production server. Visitors are offered these trust anchors. */
export async function servePages(folder: string, anchors: TrustAnchors, env: Record<string, string>) {
  const anchorsFile = join(folder, `anchors-${++served}.json`)
  await writeFile(anchorsFile, JSON.stringify(anchors))
  const contract = anchors.contracts[0]!.address
  const own = { WEB_ROOT: folder, VITE_CONTRACT_ADDRESS: contract, VITE_TRUST_ANCHORS_FILE: anchorsFile }
  const { port, close } = await listen(createWebServer(parseConfig({ ...own, ...env })))
  return { url: `http://localhost:${port}`, close }
}
