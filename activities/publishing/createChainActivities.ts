import { sleep } from '@temporalio/activity'
import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import {
  closeSlot,
  findLiveSlot,
  findWaiting,
  loadProofRecord,
  markComplete,
  recentBlocks,
  reopenSlot,
  slotTransactions,
  type OnchainPlace,
  type PublisherSlot,
  type WaitingProof,
} from '../../database/index.js'
import type { Chain } from './chain/createChain.js'
import type { Publisher } from './chain/createPublisher.js'
import { whileHeartbeating } from './whileHeartbeating.js'

export interface ChainDeps {
  database: DataSource
  chain: Chain
  publisher: Publisher
}

export function createChainActivities({ database, chain, publisher }: ChainDeps) {
  const { pollMs, maxBatch, confirmations } = chain.config

  /** Ends early when the worker stops or the workflow is gone. */
  const pause = (): Promise<void> => sleep(pollMs)

  /** The event of this proof if the contract has said it already, under whatever transaction. */
  async function findPublished(proof: WaitingProof): Promise<OnchainPlace | null> {
    return chain.findEvent(proof)
  }

  /** A slot for this proof, taking along others that wait. Null when there is no room yet. */
  async function claim(proof: WaitingProof): Promise<PublisherSlot | null> {
    const unpublished: WaitingProof[] = []
    for (const waiting of await findWaiting(database, proof.slug, maxBatch)) {
      // Others that are published already are left to their own workflow, which will notice in the same way.
      if (waiting.slug === proof.slug || !(await findPublished(waiting))) unpublished.push(waiting)
    }
    if (!unpublished.some(({ slug }) => slug === proof.slug)) return null
    return publisher.open(unpublished)
  }

  /** Where the slot's transaction put the event, at depth; `lost` when another transaction took the nonce. */
  async function follow(slot: PublisherSlot, proof: WaitingProof): Promise<OnchainPlace | 'lost'> {
    for (;;) {
      const hashes = (await slotTransactions(database, slot.id)).map(({ txHash }) => txHash)
      const receipt = await chain.findMined(hashes)
      if (receipt && (await chain.isFinal(receipt.blockNumber, receipt.blockHash))) {
        const place = chain.eventIn(receipt, proof)
        if (receipt.status === 'success' && place) {
          await closeSlot(database, slot.id, 'confirmed')
          return place
        }
        await closeSlot(database, slot.id, 'reverted')
        throw new ServiceError('publish_reverted', 'the publishing transaction was mined without its event', {
          transaction: receipt.transactionHash,
        })
      }
      if (!receipt) {
        if (await isLost(slot)) {
          await closeSlot(database, slot.id, 'lost')
          return 'lost'
        }
        await publisher.tend(slot.sender)
      }
      await pause()
    }
  }

  /** Judged at depth only: in a shallow reorganisation a nonce may look used by another and come back. */
  async function isLost({ sender, nonce }: PublisherSlot): Promise<boolean> {
    const head = await chain.head()
    const deep = head - BigInt(Math.max(confirmations, 1))
    return deep >= 0n && (await chain.minedCount(sender, deep)) > nonce
  }

  async function reachChain(proof: WaitingProof): Promise<OnchainPlace> {
    for (;;) {
      const slot = await findLiveSlot(database, proof.slug)
      if (slot) {
        const place = await follow(slot, proof)
        if (place !== 'lost') return place
        continue
      }
      const published = await findPublished(proof)
      if (!published) {
        if (!(await claim(proof))) await pause()
      } else if (await chain.isFinal(BigInt(published.onchainBlockNumber), published.onchainBlockHash)) {
        return published
      } else {
        await pause()
      }
    }
  }

  return {
    /**
     * Looks whether blocks that made proofs complete are still on the chain, however deep the reorganisation; proofs
     * whose block is gone are under way again, and returned. Safe to retry: it only compares.
     */
    findVanished: ({ seconds }: { seconds: number }): Promise<string[]> =>
      whileHeartbeating(async () => {
        const vanished: string[] = []
        for (const { blockNumber, blockHash, slotIds } of await recentBlocks(database, chain.config.chainId, seconds)) {
          if (await chain.hasBlock(BigInt(blockNumber), blockHash)) continue
          for (const id of slotIds) vanished.push(...(await reopenSlot(database, id)))
        }
        return vanished
      }),

    /**
     * Safe to retry, and to run twice at once: a proof keeps its nonce, a nonce keeps its signed transactions, and
     * before a proof gets a nonce the chain is asked whether the event is there already.
     */
    publishOnchain: ({ slug }: { slug: string }): Promise<OnchainPlace> =>
      whileHeartbeating(async () => {
        const record = await loadProofRecord(database, slug)
        const cid = record?.publication.cid
        if (!record || !cid) throw new ServiceError('proof_not_found', 'there is no pinned receipt under this slug')
        const { wallet, transaction } = record
        const place = await reachChain({ slug, wallet: wallet.address, txHash: transaction.txHash, cid })
        await markComplete(database, slug, place)
        return place
      }),
  }
}

export type ChainActivities = ReturnType<typeof createChainActivities>
