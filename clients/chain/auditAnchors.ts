import { encodeFunctionData, isAddressEqual, parseEventLogs, type PublicClient, type TransactionReceipt } from 'viem'
import type { Hex } from '@perigee/core'
import { auditLogAnchored, type AuditAnchor } from '@perigee/core/auditLog'
import { serviceAttestationsAbi } from '../../contracts/abi/ServiceAttestations.js'
import type { OnchainPlace } from '../../database/index.js'
import { inRanges } from './readLogs.js'
import { placeOf } from './receipts.js'

type Head = Pick<AuditAnchor, 'sequence' | 'hash' | 'cid'>

export function anchorCalldata({ sequence, hash, cid }: Head): Hex {
  const args = [BigInt(sequence), hash, cid] as const
  return encodeFunctionData({ abi: serviceAttestationsAbi, functionName: 'anchorAuditLog', args })
}

/** The event of this head inside a mined transaction, by one of these contracts. */
export function anchorIn(
  { logs }: TransactionReceipt,
  contracts: readonly Hex[],
  { sequence, hash, cid }: Head,
): OnchainPlace | null {
  const log = parseEventLogs({ abi: [auditLogAnchored], logs }).find(
    ({ address, args }) =>
      contracts.some((contract) => isAddressEqual(address, contract)) &&
      args.sequence === BigInt(sequence) &&
      args.head === hash &&
      args.ipfsCid === cid,
  )
  return log ? placeOf(log) : null
}

/** Every head of the audit log that the contracts' logs name, in the chain's order. */
export function readAnchors(
  client: PublicClient,
  { contract, fromBlock }: { contract: Hex | Hex[]; fromBlock: bigint },
): Promise<AuditAnchor[]> {
  return inRanges(client, { fromBlock, toBlock: 'latest' }, async (range) => {
    const logs = await client.getLogs({ address: contract, event: auditLogAnchored, strict: true, ...range })
    return logs.map(({ args, blockNumber, transactionHash }) => ({
      sequence: Number(args.sequence),
      hash: args.head,
      cid: args.ipfsCid,
      blockNumber: Number(blockNumber),
      transactionHash,
    }))
  })
}
