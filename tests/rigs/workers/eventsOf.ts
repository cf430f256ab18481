import { createPublicClient, http, type Hex } from 'viem'
import { attestationPublished } from '@perigee/core/proof'
import { components } from '../../harness/index.js'

/** The events that name a transaction, on the shared test chain. */
export function eventsOf(txHash: Hex) {
  const chain = createPublicClient({ transport: http(components().rpcUrl) })
  return chain.getLogs({ event: attestationPublished, args: { txHash }, fromBlock: 0n })
}
