import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import { PublicationEntity } from '../entities/Publication.js'

/** A proof that is pinned and waits for its event. */
export interface WaitingProof {
  slug: string
  wallet: Hex
  txHash: Hex
  cid: string
  createdAt: string
  /** The slot that carries it, or that it may leave. */
  slotId: string | null
}

function pinned(db: DataSource) {
  return db
    .createQueryBuilder(PublicationEntity, 'publication')
    .innerJoin('publication.transaction', 'transaction')
    .innerJoin('transaction.wallet', 'wallet')
    .leftJoin('publication.slot', 'slot')
    .select(['publication.slug', 'publication.cid', 'publication.createdAt', 'publication.slotId'])
    .addSelect(['transaction.id', 'transaction.txHash', 'wallet.id', 'wallet.address'])
    .where('publication.cid IS NOT NULL')
}

type Found = Awaited<ReturnType<ReturnType<typeof pinned>['getMany']>>[number]

function toWaiting({ slug, cid, createdAt, slotId, transaction: { txHash, wallet } }: Found): WaitingProof {
  return { slug, wallet: wallet.address, txHash, cid: cid as string, createdAt, slotId }
}

/** A proof with a pinned receipt, whatever its state; null when there is none under this slug. */
export async function findPinned(db: DataSource, slug: string): Promise<WaitingProof | null> {
  const found = await pinned(db).andWhere('publication.slug = :slug', { slug }).getOne()
  return found && toWaiting(found)
}

/** This proof, unless a live slot has it, and others that wait with it, oldest first. */
export async function findWaiting(db: DataSource, slug: string, limit: number): Promise<WaitingProof[]> {
  const found = await pinned(db)
    .andWhere(`publication.status = 'pending_onchain'`)
    .andWhere(`(publication.slotId IS NULL OR (publication.slug = :slug AND slot.state IN ('reverted', 'lost')))`)
    .addSelect('publication.slug <> :slug', 'is_other')
    .setParameters({ slug })
    .orderBy('is_other')
    .addOrderBy('publication.createdAt')
    .limit(limit)
    .getMany()
  return found.map(toWaiting)
}
