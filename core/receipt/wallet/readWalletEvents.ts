import type { Hex } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import type { PublishedLog, Rpc } from '../chain/readLogs.js'
import { walkEvents, type Walk } from '../chain/walkEvents.js'

/** About 100 MB. */
const mostEvents = 200_000

/** The events of a wallet by the hash that they name, in the order of the chain. */
export type WalletEvents = Map<Hex, PublishedLog[]>

/**
 * All events of a wallet. They are few bytes each and are needed before the first receipt is verified: a later event
 * may name another receipt for the same transaction.
 */
export async function readWalletEvents(
  rpc: Rpc,
  walks: readonly (Walk & { contract: Hex; wallet: Hex })[],
  onProgress: (line: string) => void,
): Promise<WalletEvents> {
  const events: WalletEvents = new Map()
  let count = 0
  for (const walk of walks) {
    for await (const { found, toBlock } of walkEvents(rpc, walk)) {
      count += found.length
      if (count > mostEvents)
        throw new ServiceError('payload_too_large', `the wallet has more than ${mostEvents} events`)
      for (const log of found) {
        const shared = { ...log, contract: walk.contract, wallet: walk.wallet } // one copy of what is always the same
        const earlier = events.get(log.txHash)
        if (earlier) earlier.push(shared)
        else events.set(log.txHash, [shared])
      }
      onProgress(`searched up to block ${toBlock} of ${walk.toBlock}: ${count} events`)
    }
  }
  return walks.length > 1 ? inOrder(events) : events
}

function inOrder(events: WalletEvents): WalletEvents {
  const first = (logs: PublishedLog[]) => logs[0]?.blockNumber ?? 0
  for (const logs of events.values()) logs.sort((a, b) => a.blockNumber - b.blockNumber)
  return new Map([...events].sort(([, a], [, b]) => first(a) - first(b)))
}
