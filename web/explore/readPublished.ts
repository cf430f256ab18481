import { ServiceError } from '@perigee/core/errors'
import { createPublicClient, http, type Hex } from 'viem'
import type { WebConfig } from '../config/WebConfig.js'
import { attestationPublished } from '@perigee/core/proof'

/** One event of the contract: somebody allowed to publish named this receipt for this transaction. */
export interface Published {
  wallet: Hex
  txHash: Hex
  ipfsCid: string
  transactionHash: Hex
  blockNumber: bigint
}

export interface Found {
  /** Newest first. */
  events: Published[]
  /** The oldest block that was searched. 0 means: all of them. */
  from: bigint
}

const windowBlocks = 5000n
const mostWindows = 12

/** The events for a wallet or a transaction, as the configured node tells them. `before` goes on with an older part. */
export async function readPublished(
  config: WebConfig,
  args: { wallet: Hex } | { txHash: Hex },
  before?: bigint,
): Promise<Found> {
  const address = config.contractAddress as Hex | null
  if (address === null) {
    throw new ServiceError('evidence_missing', 'This site does not say which contract its receipts are published on.')
  }
  const client = createPublicClient({ transport: http(config.rpcUrl) })
  const search = async (fromBlock: bigint, toBlock: bigint): Promise<Published[]> => {
    const logs = await client.getLogs({ address, event: attestationPublished, args, fromBlock, toBlock, strict: true })
    return logs.reverse().map(({ args, transactionHash, blockNumber }) => ({ ...args, transactionHash, blockNumber }))
  }
  const last = before === undefined ? await client.getBlockNumber({ cacheTime: 0 }) : before - 1n
  const whole = await search(0n, last).catch(() => null)
  if (whole) return { events: whole, from: 0n }
  // Public nodes refuse to search a whole chain. Then backwards in parts, and the visitor decides when to stop.
  const events: Published[] = []
  let from = last + 1n
  for (let part = 0; part < mostWindows && from > 0n; part++) {
    const to = from - 1n
    from = to < windowBlocks ? 0n : to - windowBlocks + 1n
    events.push(...(await search(from, to)))
  }
  return { events, from }
}
