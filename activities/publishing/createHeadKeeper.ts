import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import { anchorIn } from '../../clients/chain/auditAnchors.js'
import { eventRange, type ContractsConfig } from '../../clients/chain/ChainConfig.js'
import type { Chain } from '../../clients/chain/createChain.js'
import {
  keepAnchor,
  lastAnchor,
  setBrokenAt,
  statedHead,
  verifyAuditLog,
  type AuditLogAnchor,
} from '../../database/index.js'

export interface HeadDeps {
  database: DataSource
  chain: Pick<Chain, 'findMined'> & { config: ContractsConfig & { chainId: number } }
}

interface Fault {
  sequence: number
  fault: string
}

/**
 * Checks the events since the last anchor, then keeps the head of the audit log for a new one. Refuses a broken log: the new anchor
 * would vouch for what was changed.
 */
export function createHeadKeeper({ database, chain }: HeadDeps) {
  const { chainId } = chain.config
  const { contract: contracts } = eventRange(chain.config)

  /** The record could have been changed with the log, so the logs of our contracts are asked whether they have this anchor. */
  async function isOnChain(anchor: AuditLogAnchor, txHash: NonNullable<AuditLogAnchor['onchainTxHash']>) {
    const receipts = await chain.findMined([txHash])
    if (receipts.length === 0) {
      // A reorg, most likely: the repairs find it and publish the anchor again.
      const facts = { sequence: anchor.sequence, transaction: txHash }
      throw new ServiceError('chain_unavailable', 'no RPC shows the transaction of the last anchor', facts)
    }
    return receipts.some((receipt) => anchorIn(receipt, contracts, anchor) !== null)
  }

  /** The head, when every event from the last anchor to it is as it was written; otherwise the first fault. */
  async function checkedHead(): Promise<{ sequence: number; hash: AuditLogAnchor['hash'] } | Fault> {
    const last = await lastAnchor(database, chainId)
    if (!last?.onchainTxHash) return verified(await verifyAuditLog(database), 0)
    const { sequence, onchainTxHash: transactionHash, onchainBlockNumber } = last
    if (!(await isOnChain(last, transactionHash)))
      return { sequence, fault: 'has an anchor that the chain does not have' }
    const anchor = { ...last, transactionHash, blockNumber: onchainBlockNumber ?? 0 }
    const after = Math.max(0, sequence - 1) // the anchored event itself is checked again
    return verified(await verifyAuditLog(database, [anchor], after), after)
  }

  return async ({ acceptFault = false }: { acceptFault?: boolean } = {}): Promise<AuditLogAnchor> => {
    const head = acceptFault ? await statedHead(database) : await checkedHead()
    if ('fault' in head) return refuse(head)
    const anchor = await keepAnchor(database, head)
    if (anchor.hash !== head.hash) {
      return refuse({ sequence: head.sequence, fault: 'is not the event that was kept for its anchor' })
    }
    await setBrokenAt(database, null)
    return anchor
  }

  async function refuse({ sequence, fault }: Fault): Promise<never> {
    await setBrokenAt(database, sequence)
    throw new ServiceError('audit_log_broken', `event ${sequence} of the audit log ${fault}`, { sequence, fault })
  }
}

function verified({ faults: [fault], events, head }: Awaited<ReturnType<typeof verifyAuditLog>>, after: number) {
  return fault ?? { sequence: after + events, hash: head }
}
