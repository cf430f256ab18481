import type { DataSource } from 'typeorm'
import { createPublicClient, http } from 'viem'
import type { Hex } from '@perigee/core'
import { readAnchors } from '../../clients/chain/auditAnchors.js'
import { findAnchorsUnderWay, findPlacedAnchors, verifyAuditLog } from '../../database/index.js'
import type { Evidence } from './Evidence.js'

/** The audit log against itself and against the chain, where every head that was given a nonce must be, once. */
export async function readAuditLog(
  database: DataSource,
  rpcUrl: string,
  { chainId, address }: { chainId: number; address: Hex },
): Promise<Evidence['auditFaults']> {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: 60_000 }) })
  const anchors = await readAnchors(client, { contract: address, fromBlock: 0n })
  const placed = await findPlacedAnchors(database, chainId)
  const recorded = [...placed, ...(await findAnchorsUnderWay(database, chainId))]
  const { faults } = await verifyAuditLog(database, anchors)
  const counted = recorded.flatMap(({ sequence, hash }) => {
    const found = anchors.filter((anchor) => anchor.sequence === sequence && anchor.hash === hash).length
    return found === 1 ? [] : [{ sequence, fault: `has ${found} anchors on the chain` }]
  })
  return [...faults, ...counted]
}
