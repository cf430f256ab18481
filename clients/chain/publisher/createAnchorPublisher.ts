import { ServiceError } from '@perigee/core'
import {
  findAnchor,
  findSlotOfAnchor,
  markAnchored,
  type AuditLogAnchor,
  type OnchainPlace,
} from '../../../database/index.js'
import { tolerateOutage } from '../../concurrency/tolerateOutage.js'
import { pause } from '../../concurrency/untilAborted.js'
import { anchorIn } from '../auditAnchors.js'
import { isLive } from './createSlotClaims.js'
import type { PublishingDeps, SlotResolver } from './createSlotResolver.js'

/**
 * Publishes one head of the audit log: opens a slot for it, and follows that to the configured depth. Simpler than a proof:
 * if the slot is lost it takes another, because a head that stands twice in the log says the same twice.
 */
export function createAnchorPublisher({ database, chain, publisher }: PublishingDeps, { followSlot }: SlotResolver) {
  const { contract, maxOutageMs, pollMs } = chain.config

  async function open(anchor: AuditLogAnchor): Promise<unknown> {
    const room = await publisher.accountsWithRoom()
    if (room.length > 0) return publisher.openAnchor(anchor, room)
    for (const sender of publisher.senders) await publisher.rebroadcast(sender)
    return null
  }

  return async (sequence: number, signal: AbortSignal): Promise<OnchainPlace> => {
    const tolerant = tolerateOutage(maxOutageMs)
    for (;;) {
      signal.throwIfAborted()
      const anchor = await findAnchor(database, sequence)
      if (!anchor) throw new ServiceError('not_found', 'this head of the audit log was not kept')
      const { onchainTxHash, onchainBlockNumber, onchainBlockHash } = anchor
      if (onchainTxHash !== null && onchainBlockNumber !== null && onchainBlockHash !== null) {
        return { onchainTxHash, onchainBlockNumber, onchainBlockHash }
      }
      const slot = await findSlotOfAnchor(database, anchor)
      if (!slot || !isLive(slot)) {
        if (!(await tolerant(() => open(anchor)))) await pause(pollMs, signal)
        continue
      }
      const end = await followSlot(slot, signal)
      if (end === 'lost') continue
      const place = end.status === 'success' ? anchorIn(end, contract, anchor) : null
      if (!place) {
        const facts = { transaction: end.transactionHash }
        throw new ServiceError('publish_reverted', 'the anchoring transaction was mined without its event', facts)
      }
      await markAnchored(database, sequence, place)
      return place
    }
  }
}
