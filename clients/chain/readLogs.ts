import type { Log, PublicClient } from 'viem'
import type { Hex } from '@perigee/core'
import { attestationPublished } from '@perigee/core/proof'

export type PublishedLog = Log<bigint, number, false, typeof attestationPublished, true>

interface BlockRange {
  fromBlock: bigint
  /** `latest`: the newest that the RPC has. */
  toBlock: bigint | 'latest'
}

interface LogRange extends BlockRange {
  /** One, or several at once. */
  contract: Hex | Hex[]
  /** Only events for these transactions. */
  txHashes?: readonly Hex[]
}

const smallest = 100n

/** The contract's events of a range of blocks. */
export function readLogs(client: PublicClient, { contract, txHashes, ...range }: LogRange): Promise<PublishedLog[]> {
  const args = { txHash: txHashes ? [...txHashes] : null }
  return inRanges(client, range, ({ fromBlock, toBlock }) =>
    client.getLogs({ address: contract, event: attestationPublished, strict: true, fromBlock, toBlock, args }),
  )
}

/**
 * Reads a range of blocks. Providers refuse ranges or answers that are too large, each with its own message, so a refused
 * range is halved until it is accepted or too small to be the reason.
 */
export async function inRanges<T>(
  client: PublicClient,
  { fromBlock, toBlock }: BlockRange,
  read: (range: BlockRange) => Promise<T[]>,
): Promise<T[]> {
  if (toBlock !== 'latest' && fromBlock > toBlock) return []
  try {
    return await read({ fromBlock, toBlock })
  } catch (error) {
    const last = toBlock === 'latest' ? await client.getBlockNumber() : toBlock
    if (fromBlock > last) return []
    if (last - fromBlock < smallest) throw error
    const middle = (fromBlock + last) / 2n
    const lower = await inRanges(client, { fromBlock, toBlock: middle }, read)
    return [...lower, ...(await inRanges(client, { fromBlock: middle + 1n, toBlock }, read))]
  }
}
