import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import { PublicationEntity, type Publication } from '../entities/Publication.js'
import { selectAs, selectProofs } from '../selectAs.js'

/** A proof that is pinned and waits for its event. */
export interface WaitingProof {
  slug: string
  wallet: Hex
  txHash: Hex
  cid: string
  createdAt: Date
  /** Since it was pinned. */
  waitedMs: number
  /** What the pinned receipt names. The attestation may name another by now: a late attempt to pin can still renew it. */
  collateralCid: string
  contract: Hex
  /** The slot that carries it, or that it may leave. */
  slotId: string | null
  kind: Publication['kind']
  /** The proof of its wallet's birth, while that is neither complete nor given up. */
  birth: Pick<Publication, 'slug' | 'status'> | null
}

const awaitedBirth = `birth.walletId = publication.walletId AND birth.kind = 'birth' AND publication.kind <> 'birth'
  AND birth.status <> 'complete' AND birth.abandonedAt IS NULL`

/** What a pinned receipt says there. */
export const named = (path: string) => `(publication.receipt)::json #>> '{${path}}'`

function pinned(db: DataSource) {
  return selectProofs(db, ['slug', 'txHash', 'cid', 'createdAt', 'slotId', 'kind'], {
    waitedMs: '(extract(epoch FROM now() - publication.statusSince) * 1000)::float8',
    collateralCid: named('signer,collateralCid'),
    contract: named('verification,publication,contract'),
    birth: `CASE WHEN birth.slug IS NULL THEN NULL ELSE json_build_object('slug', birth.slug, 'status', birth.status) END`,
  })
    .leftJoin('PublisherSlot', 'slot', 'slot.id = publication.slotId')
    .leftJoin('Publication', 'birth', awaitedBirth)
    .where('publication.cid IS NOT NULL')
}

/** A proof with a pinned receipt, whatever its state; null when there is none under this slug. */
export async function findPinned(db: DataSource, slug: string): Promise<WaitingProof | null> {
  return (await pinned(db).andWhere('publication.slug = :slug', { slug }).getRawOne<WaitingProof>()) ?? null
}

/** This proof, unless a live slot has it, and others that wait with it, oldest first. */
export function findWaiting(db: DataSource, slug: string, limit: number): Promise<WaitingProof[]> {
  return pinned(db)
    .andWhere(`publication.status = 'pending_onchain'`)
    .andWhere(`(publication.slotId IS NULL OR (publication.slug = :slug AND slot.state IN ('reverted', 'lost')))`)
    .orderBy('publication.slug <> :slug')
    .addOrderBy('publication.createdAt')
    .setParameters({ slug })
    .limit(limit)
    .getRawMany<WaitingProof>()
}

/**
 * Of these proofs, those whose receipt names another contract than this one, or a CID of its wallet's birth that is not
 * the birth's any more.
 */
export async function findNamingFormer(db: DataSource, slugs: readonly string[], contract: Hex): Promise<Set<string>> {
  const rows = await selectAs(db.createQueryBuilder(PublicationEntity, 'publication'), { slug: 'publication.slug' })
    .innerJoin('Publication', 'birth', `birth.walletId = publication.walletId AND birth.kind = 'birth'`)
    .where('publication.slug IN (:...slugs)', { slugs })
    .andWhere(
      `(${named('verification,publication,contract')} <> :contract
        OR publication.kind <> 'birth' AND birth.cid IS DISTINCT FROM ${named('signer,birthCid')})`,
      { contract },
    )
    .getRawMany<{ slug: string }>()
  return new Set(rows.map(({ slug }) => slug))
}
