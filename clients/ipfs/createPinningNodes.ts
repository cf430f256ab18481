import type { IpfsConfig } from './config.js'
import { createGateway, type Gateway } from './createGateway.js'
import { createKuboNode } from './createKuboNode.js'
import { createPinningService } from './createPinningService.js'
import type { PinningNode } from './PinningNode.js'

/** Every configured node and service, and the public gateway if there is one. */
export function createPinningNodes(config: IpfsConfig): { nodes: PinningNode[]; publicGateway: Gateway | undefined } {
  const origins = config.apiUrls.map((url) => createKuboNode(url))
  const services = config.services.map(({ gatewayUrl, ...service }) =>
    createPinningService({ ...service, origins, gateway: createGateway(gatewayUrl) }),
  )
  return {
    nodes: [...origins, ...services],
    publicGateway: config.publicGatewayUrl === null ? undefined : createGateway(config.publicGatewayUrl),
  }
}
