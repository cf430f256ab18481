import { Context } from '@temporalio/activity'
import type { DataSource } from 'typeorm'
import type { TransactionReceipt } from 'viem'
import { ServiceError, type Hex } from '@perigee/core'
import {
  closeSlot,
  findOpenSlots,
  findPinned,
  findSlotOf,
  findWaiting,
  markComplete,
  recentBlocks,
  reopenBlock,
  type OnchainPlace,
  type PublisherSlot,
  type WaitingProof,
} from '../../database/index.js'
import type { Chain } from '../../clients/chain/createChain.js'
import { createPatience } from '../../clients/chain/createPatience.js'
import type { OpenedSlot, Publisher } from '../../clients/chain/createPublisher.js'
import { hasPublished } from '../../clients/chain/receipts.js'
import { createSharedWork, createTurns, pause } from '../../clients/chain/shareWork.js'
import { createPublishingMeter, type PublishingMeter } from '../../clients/PublishingMeter.js'
import { whileHeartbeating } from './whileHeartbeating.js'

export interface ChainDeps {
  database: DataSource
  chain: Chain
  publisher: Publisher
  meter?: PublishingMeter
}

/** How a slot ended: in a block at depth, or because another transaction took its nonce for ever. */
type SlotEnd = TransactionReceipt | 'lost'

/** What came of asking for a slot: one that carries the proof, or, when the event is there already, its place. */
type Claimed = { slot: PublisherSlot | OpenedSlot } | { place: OnchainPlace }

/** A chain that mines at once is not done yet when it has taken a transaction, and to look in vain costs more than to wait. */
const firstLookMs = 40

/** Open slots that one look after the queue settles. */
const settledAtOnce = 200

export function createChainActivities({ database, chain, publisher, meter = createPublishingMeter() }: ChainDeps) {
  const { config } = chain
  /** Proofs of this process that have no slot yet ask one after another: the first takes the others along. */
  const inTurn = createTurns()
  const endOf = createSharedWork<PublisherSlot | OpenedSlot, SlotEnd>(async (slot, signal) => {
    const patiently = createPatience(config.patienceMs)
    let known = 'sent' in slot ? [slot.sent] : null // nobody offers more before the first look; if so, the next one tells
    for (let waitMs = Math.min(firstLookMs, config.pollMs); ; waitMs = config.pollMs) {
      await pause(waitMs, signal)
      if (signal.aborted) return 'lost' // nobody hears this answer
      const end = await patiently(() => settle(slot, known))
      if (end) return end
      known = null
    }
  })

  /** One look at a slot, and what keeps it moving. Null while it has not ended. `known`: its transactions. */
  async function settle(slot: PublisherSlot, known: readonly Hex[] | null = null): Promise<SlotEnd | null> {
    let dispute: string | null = null
    for (const receipt of await chain.findMined(known ?? (await publisher.hashesOf(slot.id)))) {
      const standing = await chain.standingOf(receipt)
      if (standing.is === 'young') return null
      if (standing.is === 'disputed') dispute = standing.between
      if (standing.is !== 'final') continue
      const isPublished = hasPublished(receipt)
      await closeSlot(database, slot.id, isPublished ? 'confirmed' : 'reverted')
      if (slot.state === 'open' && isPublished) meter.confirmed(Date.now() - Date.parse(slot.createdAt))
      return receipt
    }
    // It has just been sent: who looks again in a moment offers it again, if need be.
    if (dispute === null && Date.now() - Date.parse(slot.createdAt) < config.pollMs) return null
    // In no block that is known to stand. Offering it again on its nonce is right whoever is right about that.
    const mined = await publisher.tend(slot.sender)
    if (dispute !== null) throw contradiction(dispute)
    if (mined <= slot.nonce || !(await publisher.isSpent(slot))) return null
    await closeSlot(database, slot.id, 'lost')
    return 'lost'
  }

  /** Fails closed: who publishes on the word of one RPC against another's may publish twice, or not at all. */
  function contradiction(between: string): ServiceError {
    meter.contradicted()
    return new ServiceError('chain_contradiction', `the RPCs contradict each other (${between})`)
  }

  /**
   * Finds a slot for this proof, taking along others that wait. While there is no room it keeps the turn, because who
   * comes next would find none either. `spentId`: the slot that the proof had, and may leave.
   */
  async function claim(proof: WaitingProof, spentId: string | null, isGone: () => boolean): Promise<Claimed | null> {
    const { cancellationSignal } = Context.current()
    const patiently = createPatience(config.patienceMs)
    while (!isGone()) {
      const claimed = await patiently(() => tryToClaim(proof, spentId))
      if (claimed) return claimed
      await pause(config.pollMs, cancellationSignal)
      if (claimed === undefined) return null // it may take many blocks: others are not made to wait for that
    }
    return null
  }

  /** Null: there is no room, or another was faster. Undefined: it cannot be had now, however long the turn is kept. */
  async function tryToClaim(proof: WaitingProof, spentId: string | null): Promise<Claimed | null | undefined> {
    const waiting = await findWaiting(database, proof.slug, config.maxBatch)
    const own = waiting.find(({ slug }) => slug === proof.slug)
    if (!own) {
      const slot = await findSlotOf(database, proof.slug)
      if (slot && isLive(slot)) return { slot } // somebody has taken it along
    }
    const room = await publisher.accountsWithRoom()
    if (room.length === 0) {
      // What is in flight may have nobody who follows it: filled nonces have no proof, and workers die.
      for (const sender of publisher.senders) await publisher.tend(sender)
      return null
    }
    const said = await chain.findEvents([proof, ...waiting])
    const place = said.get(proof.slug)
    if (place) return (await isKept(proof, place)) ? { place } : undefined
    if (!own) return undefined // another has ended it, in whatever way
    if (own.slotId !== spentId) return undefined // another has moved it: that one is not known to be spent
    // Others that are published already are left to their own workflow, which will notice in the same way.
    const unpublished = waiting.filter(({ slug }) => !said.has(slug))
    const slot = await publisher.open(unpublished, room, spentId)
    return slot && { slot }
  }

  /**
   * An event that none of our transactions brought (records restored from an older copy): it must be shown by more than
   * one RPC if there are more, and be beyond every reorganisation, because nothing of ours could bring it back.
   */
  async function isKept(proof: WaitingProof, { onchainTxHash, onchainBlockNumber }: OnchainPlace): Promise<boolean> {
    for (const receipt of await chain.findMined([onchainTxHash])) {
      const standing = await chain.standingOf(receipt)
      if (standing.is === 'disputed') throw contradiction(standing.between)
      if (standing.is === 'final' && chain.eventIn(receipt, proof)) {
        return chain.isBeyondReorganisation(BigInt(onchainBlockNumber))
      }
    }
    return false
  }

  async function reachChain(proof: WaitingProof, gone: Promise<never>): Promise<OnchainPlace> {
    const { cancellationSignal } = Context.current()
    const patiently = createPatience(config.patienceMs)
    const findOwnSlot = () => findSlotOf(database, proof.slug)
    let slot: PublisherSlot | OpenedSlot | null = proof.slotId === null ? null : await findOwnSlot()
    for (;;) {
      if (slot && isLive(slot)) {
        const end = await endOf(slot, gone)
        if (end !== 'lost') return placeIn(end, proof)
        slot = await findOwnSlot()
        continue
      }
      // It had a nonce, and may have another only when that one is spent for ever: see docs/publishing.md.
      const former: PublisherSlot | null = slot
      if (former && !(await patiently(() => publisher.isSpent(former)))) {
        await patiently(() => settle(former)) // which opens it again, or ends it otherwise, if the chain says so
        await Promise.race([pause(config.pollMs, cancellationSignal), gone])
        slot = await findOwnSlot()
        continue
      }
      const claimed: Claimed | null = await inTurn(gone, (isGone) => claim(proof, former?.id ?? null, isGone))
      if (claimed && 'place' in claimed) return claimed.place
      slot = claimed ? claimed.slot : await findOwnSlot()
    }
  }

  function placeIn(end: TransactionReceipt, proof: WaitingProof): OnchainPlace {
    const place = end.status === 'success' ? chain.eventIn(end, proof) : null
    if (place) return place
    throw new ServiceError('publish_reverted', 'the publishing transaction was mined without its event', {
      transaction: end.transactionHash,
    })
  }

  async function publish(proof: WaitingProof, gone: Promise<never>): Promise<OnchainPlace> {
    const place = await reachChain(proof, gone)
    await markComplete(database, proof.slug, place)
    return place
  }

  /** Moves every queue on, for the case that nobody else does: what is in flight, and who follows it, may be dead. */
  async function tendAll(): Promise<void> {
    for (const sender of publisher.senders) {
      try {
        await publisher.closeEmpty(sender, await publisher.tend(sender))
        const open = await findOpenSlots(database, config.chainId, sender, settledAtOnce)
        for (const slot of open) await settle(slot)
      } catch (error) {
        Context.current().log.warn('the queue of a publishing key could not be tended', { sender, error })
      }
    }
  }

  return {
    /**
     * Looks whether blocks that made proofs complete are still on the chain: those of the last `seconds`, and those
     * down to the configured depth; proofs whose block is gone are under way again, and returned. Then tends the queues.
     * Safe to retry: it only compares, and sends what is stored.
     */
    reopenReorged: ({ seconds }: { seconds: number }): Promise<string[]> =>
      whileHeartbeating(async () => {
        const vanished: string[] = []
        const fromBlock = Number(await chain.head()) - config.reorgDepth
        for (const block of await recentBlocks(database, config.chainId, { seconds, fromBlock })) {
          if (!(await chain.hasVanished(BigInt(block.blockNumber), block.blockHash))) continue
          vanished.push(...(await reopenBlock(database, block.blockHash)))
        }
        meter.reorged(vanished.length)
        await tendAll()
        return vanished
      }),

    /**
     * Safe to retry, and to run twice at once: a proof keeps its nonce, a nonce keeps its signed transactions, and
     * before a proof gets a nonce the chain is asked whether the event is there already.
     */
    publishOnchain: ({ slug }: { slug: string }): Promise<OnchainPlace> =>
      whileHeartbeating(async () => {
        const proof = await findPinned(database, slug)
        if (!proof) throw new ServiceError('proof_not_found', 'there is no pinned receipt under this slug')
        return publish(proof, Context.current().cancelled)
      }),
  }
}

export type ChainActivities = ReturnType<typeof createChainActivities>

/** It may still bring its proofs on the chain, or has brought them. */
const isLive = ({ state }: PublisherSlot): boolean => state === 'open' || state === 'confirmed'
