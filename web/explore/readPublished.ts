import { ServiceError } from '@perigee/core/errors'
import { readLogs, type PublishedLog } from '@perigee/core/receipt/gather'
import type { Hex } from 'viem'
import type { WebConfig } from '../config/WebConfig.js'
import { createRpc } from '../verify/createSources.js'

export interface Found {
  /** Newest first. */
  events: PublishedLog[]
  /** The oldest block that was searched. 0 means: all of them. */
  from: number
}

const windowBlocks = 5000
const mostWindows = 12
const mostEvents = 10_000

/** The contracts whose events count here: today's and those before it. */
export function requireContracts({ contracts }: WebConfig): readonly Hex[] {
  if (contracts.length > 0) return contracts
  throw new ServiceError('evidence_missing', 'This site does not say which contract its receipts are published on.')
}

/** The events for a wallet or a transaction, as the configured node reports them. `before` continues an earlier search. */
export async function readPublished(
  config: WebConfig,
  about: { wallet: Hex } | { txHash: Hex },
  before?: number,
): Promise<Found> {
  const contract = requireContracts(config)
  const rpc = createRpc(config)
  const search = async (fromBlock: number, toBlock: number): Promise<PublishedLog[]> =>
    (await readLogs(rpc, { contract, ...about, fromBlock, toBlock }, mostEvents)).reverse()
  const last = (before ?? Number(await rpc('eth_blockNumber', [])) + 1) - 1
  const whole = await search(0, last).catch(() => null)
  if (whole) return { events: whole, from: 0 }
  // Public nodes refuse to search a whole chain. Then search backwards in parts; the visitor decides when to stop.
  const events: PublishedLog[] = []
  let from = last + 1
  for (let part = 0; part < mostWindows && from > 0; part++) {
    const to = from - 1
    from = Math.max(0, to - windowBlocks + 1)
    events.push(...(await search(from, to)))
  }
  return { events, from }
}
