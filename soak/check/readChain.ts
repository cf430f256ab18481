import { createPublicClient, http } from 'viem'
import type { Hex } from '@perigee/core'
import { attestationPublished } from '@perigee/core/proof'
import type { Evidence, PublishedEvent } from './Evidence.js'

/** Every event of the contract, and how many transactions each publisher has in blocks. */
export async function readChain(
  rpcUrl: string,
  contract: Hex,
  senders: readonly Hex[],
): Promise<Pick<Evidence, 'events' | 'head'> & { mined: Map<Hex, number> }> {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: 60_000 }) })
  const head = Number(await client.getBlockNumber())
  const logs = await client.getLogs({
    address: contract,
    event: attestationPublished,
    fromBlock: 0n,
    toBlock: 'latest',
  })
  const times = new Map<bigint, number>()
  for (const { blockNumber } of logs) {
    if (!times.has(blockNumber)) times.set(blockNumber, Number((await client.getBlock({ blockNumber })).timestamp))
  }
  const events = logs.map(({ args, blockNumber, blockHash, transactionHash }): PublishedEvent => {
    return {
      wallet: (args.wallet ?? '0x').toLowerCase() as Hex,
      txHash: args.txHash ?? '0x',
      cid: args.ipfsCid ?? '',
      transactionHash,
      blockHash,
      blockNumber: Number(blockNumber),
      blockTimestamp: times.get(blockNumber) ?? 0,
    }
  })
  const mined = new Map<Hex, number>()
  for (const address of senders) mined.set(address, await client.getTransactionCount({ address }))
  return { events, head, mined }
}
