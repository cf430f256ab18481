import { Context } from '@temporalio/activity'
import type { DataSource } from 'typeorm'
import type { TransactionReceipt } from 'viem'
import { ServiceError } from '@perigee/core'
import {
  closeSlot,
  findLiveSlot,
  findSlot,
  findWaiting,
  loadProofRecord,
  markComplete,
  recentBlocks,
  reopenBlock,
  slotTransactions,
  type OnchainPlace,
  type PublisherSlot,
  type WaitingProof,
} from '../../database/index.js'
import type { Chain } from './chain/createChain.js'
import type { Publisher } from './chain/createPublisher.js'
import { createSharedWork, createTurns, pause } from './chain/shareWork.js'
import { createPublishingMeter, type PublishingMeter } from './PublishingMeter.js'
import { whileHeartbeating } from './whileHeartbeating.js'

export interface ChainDeps {
  database: DataSource
  chain: Chain
  publisher: Publisher
  meter?: PublishingMeter
}

/** How a slot ended: in a block at depth, or because another transaction took its nonce. */
type SlotEnd = TransactionReceipt | 'lost'

export function createChainActivities({ database, chain, publisher, meter = createPublishingMeter() }: ChainDeps) {
  const { config } = chain
  /** Proofs of this process that have no slot yet ask one after another: the first takes the others along. */
  const inTurn = createTurns()
  const endOf = createSharedWork<SlotEnd>(async (slotId, signal) => {
    const slot = await findSlot(database, slotId)
    for (;;) {
      const end = await settle(slot)
      if (end || signal.aborted) return end ?? 'lost' // when aborted, nobody hears this answer
      await pause(config.pollMs, signal)
    }
  })

  /** One look at a slot, and what keeps it moving. Null while it has not ended. */
  async function settle(slot: PublisherSlot): Promise<SlotEnd | null> {
    const hashes = (await slotTransactions(database, slot.id)).map(({ txHash }) => txHash)
    const receipt = await chain.findMined(hashes)
    if (receipt) {
      if (!(await chain.isFinal(receipt.blockNumber, receipt.blockHash)) || !(await chain.agreeOn(receipt))) return null
      const isPublished = receipt.status === 'success' && receipt.logs.length > 0
      await closeSlot(database, slot.id, isPublished ? 'confirmed' : 'reverted')
      if (slot.state === 'open' && isPublished) meter.confirmed(Date.now() - Date.parse(slot.createdAt))
      return receipt
    }
    // Judged at depth only: in a shallow reorganisation a nonce may look used by another and come back. A node that was
    // restored has no state there: then nothing is judged yet, and the queue must still be kept moving.
    const deep = (await chain.head()) - BigInt(Math.max(config.confirmations, 1))
    const used = deep >= 0n ? await chain.minedCount(slot.sender, deep).catch(() => 0) : 0
    if (used > slot.nonce) {
      await closeSlot(database, slot.id, 'lost')
      return 'lost'
    }
    await publisher.tend(slot.sender)
    await publisher.closeEmpty(slot.sender, used)
    return null
  }

  /**
   * Finds a slot for this proof, taking along others that wait; the place instead when the event is there already. While
   * there is no room it keeps the turn, because who comes next would find none either.
   */
  async function claim(proof: WaitingProof, isGone: () => boolean): Promise<OnchainPlace | null> {
    const { cancellationSignal } = Context.current()
    while (!isGone()) {
      if (await findLiveSlot(database, proof.slug)) return null // somebody has taken it along
      const room = await publisher.accountsWithRoom()
      if (room.length > 0) {
        const waiting = await findWaiting(database, proof.slug, config.maxBatch)
        const said = await chain.findEvents([proof, ...waiting])
        const place = said.get(proof.slug)
        if (place) {
          if (await chain.isFinal(BigInt(place.onchainBlockNumber), place.onchainBlockHash)) return place
          await pause(config.pollMs, cancellationSignal)
          return null // it may take many blocks: others are not made to wait for that
        } else {
          // Others that are published already are left to their own workflow, which will notice in the same way.
          const unpublished = waiting.filter(({ slug }) => !said.has(slug))
          const isWaiting = unpublished.some(({ slug }) => slug === proof.slug)
          if (isWaiting && (await publisher.open(unpublished, room))) return null
        }
      } else {
        // What is in flight may have nobody who follows it: filled nonces have no proof, and workers die.
        for (const sender of publisher.senders) await publisher.tend(sender)
      }
      await pause(config.pollMs, cancellationSignal)
    }
    return null
  }

  async function reachChain(proof: WaitingProof, gone: Promise<never>): Promise<OnchainPlace> {
    for (;;) {
      const slot = await findLiveSlot(database, proof.slug)
      if (!slot) {
        const published = await inTurn(gone, (isGone) => claim(proof, isGone))
        if (published) return published
        continue
      }
      const end = await endOf(slot.id, gone)
      if (end === 'lost') continue
      const place = end.status === 'success' ? chain.eventIn(end, proof) : null
      if (place) return place
      throw new ServiceError('publish_reverted', 'the publishing transaction was mined without its event', {
        transaction: end.transactionHash,
      })
    }
  }

  async function publish(slug: string, gone: Promise<never>): Promise<OnchainPlace> {
    const record = await loadProofRecord(database, slug)
    const cid = record?.publication.cid
    if (!record || !cid) throw new ServiceError('proof_not_found', 'there is no pinned receipt under this slug')
    const { wallet, transaction, publication } = record
    const createdAt = new Date(publication.createdAt)
    const proof = { slug, wallet: wallet.address, txHash: transaction.txHash, cid, createdAt }
    const place = await reachChain(proof, gone)
    await markComplete(database, slug, place)
    return place
  }

  return {
    /**
     * Looks whether blocks that made proofs complete are still on the chain: those of the last `seconds`, and those
     * down to the configured depth; proofs whose block is gone are under way again, and returned. Safe to retry: it
     * only compares.
     */
    findVanished: ({ seconds }: { seconds: number }): Promise<string[]> =>
      whileHeartbeating(async () => {
        const vanished: string[] = []
        const fromBlock = Number(await chain.head()) - config.reorgDepth
        for (const block of await recentBlocks(database, config.chainId, { seconds, fromBlock })) {
          if (!(await chain.hasVanished(BigInt(block.blockNumber), block.blockHash))) continue
          vanished.push(...(await reopenBlock(database, block.blockHash)))
        }
        meter.vanished(vanished.length)
        return vanished
      }),

    /**
     * Safe to retry, and to run twice at once: a proof keeps its nonce, a nonce keeps its signed transactions, and
     * before a proof gets a nonce the chain is asked whether the event is there already.
     */
    publishOnchain: ({ slug }: { slug: string }): Promise<OnchainPlace> =>
      whileHeartbeating(() => publish(slug, Context.current().cancelled)),

    /** The same for a caller that has little time: throws when it is over. Somebody else follows the proof then. */
    async publishWithin({ slug, withinMs }: { slug: string; withinMs: number }): Promise<OnchainPlace> {
      let stop: (error: Error) => void = () => undefined
      const over = new Promise<never>((_resolve, reject) => (stop = reject))
      const gone = Promise.race([Context.current().cancelled, over])
      gone.catch(() => undefined) // it may come when nobody waits any more
      const timer = setTimeout(() => stop(new ServiceError('publish_unconfirmed', 'not at depth yet')), withinMs)
      try {
        return await publish(slug, gone)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

export type ChainActivities = ReturnType<typeof createChainActivities>
