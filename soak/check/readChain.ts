import type { DataSource } from 'typeorm'
import { createPublicClient, http } from 'viem'
import type { Hex } from '@perigee/core'
import { attestationPublished } from '@perigee/core/proof'
import { readAnchors } from '../../clients/chain/auditAnchors.js'
import { findAnchorsUnderWay, findPlacedAnchors, verifyAuditLog } from '../../database/index.js'
import type { Evidence, PublishedEvent } from './Evidence.js'

const clientOf = (rpcUrl: string) => createPublicClient({ transport: http(rpcUrl, { timeout: 60_000 }) })

/** Every event of the contract, and how many transactions each publisher has in blocks. */
export async function readChain(
  rpcUrl: string,
  contract: Hex,
  senders: readonly Hex[],
): Promise<Pick<Evidence, 'events' | 'head'> & { mined: Map<Hex, number> }> {
  const client = clientOf(rpcUrl)
  const head = Number(await client.getBlockNumber())
  const logs = await client.getLogs({ address: contract, event: attestationPublished, fromBlock: 0n })
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

/** The audit log against itself and against the chain, where every head that was given a nonce must be, once. */
export async function readAuditLog(
  database: DataSource,
  rpcUrl: string,
  { chainId, address }: { chainId: number; address: Hex },
): Promise<Evidence['auditFaults']> {
  const anchors = await readAnchors(clientOf(rpcUrl), { contract: address, fromBlock: 0n })
  const placed = await findPlacedAnchors(database, chainId)
  const recorded = [...placed, ...(await findAnchorsUnderWay(database, chainId))]
  const { faults } = await verifyAuditLog(database, anchors)
  const counted = recorded.flatMap(({ sequence, hash }) => {
    const found = anchors.filter((anchor) => anchor.sequence === sequence && anchor.hash === hash).length
    return found === 1 ? [] : [{ sequence, fault: `has ${found} anchors on the chain` }]
  })
  return [...faults, ...counted]
}
