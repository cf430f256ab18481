import type { Log, PublicClient } from 'viem'
import type { Hex } from '@perigee/core'
import { attestationPublished } from '@perigee/core/proof'

export type PublishedLog = Log<bigint, number, false, typeof attestationPublished, true>

interface LogRange {
  contract: Hex
  fromBlock: bigint
  /** `latest`: the newest that the RPC has. */
  toBlock: bigint | 'latest'
  /** Only events for these transactions. */
  txHashes?: readonly Hex[]
}

const smallest = 100n

/**
 * The contract's events of a range of blocks. Providers refuse ranges or answers that are too large, each with its own
 * message, so a refused range is halved until it is accepted or too small to be the reason.
 */
export async function readLogs(client: PublicClient, range: LogRange): Promise<PublishedLog[]> {
  const { contract, fromBlock, toBlock, txHashes } = range
  if (toBlock !== 'latest' && fromBlock > toBlock) return []
  try {
    return await client.getLogs({
      address: contract,
      event: attestationPublished,
      strict: true,
      fromBlock,
      toBlock,
      args: { txHash: txHashes ? [...txHashes] : null },
    })
  } catch (error) {
    const last = toBlock === 'latest' ? await client.getBlockNumber() : toBlock
    if (fromBlock > last) return []
    if (last - fromBlock < smallest) throw error
    const middle = (fromBlock + last) / 2n
    const lower = await readLogs(client, { ...range, toBlock: middle })
    return [...lower, ...(await readLogs(client, { ...range, fromBlock: middle + 1n }))]
  }
}
