import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { HostileWorld } from '../../../verifier/testing/hostileWorld.js'
import { parseConfig } from '../../../web/server/config.js'
import { createWebServer } from '../../../web/server/createWebServer.js'

export interface Served {
  url: string
  close(): Promise<void>
}

/** The build in `folder` behind the production server, on a service, a gateway and a node of the test's own. */
export async function serveWorld(
  folder: string,
  { asked, proof, service, gateway, node }: HostileWorld,
): Promise<Served> {
  const anchorsFile = join(folder, 'own-anchors.json')
  await writeFile(anchorsFile, JSON.stringify(asked.anchors))
  const server = createWebServer(
    parseConfig({
      WEB_ROOT: folder,
      VITE_API_URL: service.url,
      VITE_CHAIN_ID: String(proof.chainId),
      VITE_RPC_URL: node.url,
      VITE_IPFS_GATEWAY_URL: gateway.url,
      VITE_CONTRACT_ADDRESS: asked.anchors.contracts[0]!.address,
      VITE_TRUST_ANCHORS_FILE: anchorsFile,
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
