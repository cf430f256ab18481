import type { Logger } from '@temporalio/common'
import type { TransactionReceipt } from 'viem'
import { ServiceError } from '@perigee/core'
import {
  findAnchor,
  findAnchorsUnderWay,
  findSlotOfAnchor,
  markAnchored,
  type AuditLogAnchor,
  type OnchainPlace,
} from '../../../database/index.js'
import { tolerateOutage } from '../../concurrency/tolerateOutage.js'
import { pause } from '../../concurrency/untilAborted.js'
import { anchorIn } from '../auditAnchors.js'
import { eventRange } from '../ChainConfig.js'
import { isLive } from './createSlotClaims.js'
import type { PublishingDeps, SlotResolver } from './createSlotResolver.js'

/** Publishes heads of the audit log, each once, by the rule for proofs: a head leaves its nonce only when that is spent. */
export function createAnchorPublisher(
  { database, chain, publisher }: PublishingDeps,
  { resolveSlot, followSlot, mayLeave }: SlotResolver,
) {
  const { maxOutageMs, pollMs, chainId } = chain.config
  const { contract: contracts } = eventRange(chain.config) // one in flight may have gone to a former one

  async function open(anchor: AuditLogAnchor): Promise<unknown> {
    const room = await publisher.accountsWithRoom()
    const slot = room.length > 0 ? await publisher.openAnchor(anchor, room) : null
    if (!slot) await publisher.rebroadcastAll()
    return slot
  }

  /** Null when the transaction was mined without the event. */
  async function record(end: TransactionReceipt, anchor: AuditLogAnchor): Promise<OnchainPlace | null> {
    const place = end.status === 'success' ? anchorIn(end, contracts, anchor) : null
    if (place) await markAnchored(database, anchor.sequence, place)
    return place
  }

  return {
    async publish(sequence: number, signal: AbortSignal): Promise<OnchainPlace> {
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
        if (slot && isLive(slot)) {
          const end = await followSlot(slot, signal)
          if (end === 'lost') continue
          const place = await record(end, anchor)
          if (place) return place
          const facts = { transaction: end.transactionHash }
          throw new ServiceError('publish_reverted', 'the anchoring transaction was mined without its event', facts)
        }
        if (slot && !(await mayLeave(slot, tolerant, signal))) continue
        if (!(await tolerant(() => open(anchor)))) await pause(pollMs, signal)
      }
    },

    /** Records the places of anchors that no run follows: a reorg took their block, or their run ended before it was mined. */
    async recordPlaces(log: Pick<Logger, 'warn'>): Promise<void> {
      for (const anchor of await findAnchorsUnderWay(database, chainId)) {
        try {
          const slot = await findSlotOfAnchor(database, anchor)
          const end = slot && (await resolveSlot(slot))
          if (end && end !== 'lost') await record(end, anchor)
        } catch (error) {
          log.warn('the anchor of an audit log head could not be resolved', { sequence: anchor.sequence, error })
        }
      }
    },
  }
}
