import { In, IsNull, Not, Raw, type DataSource, type EntityManager, type QueryDeepPartialEntity } from 'typeorm'
import type { Hex, ProofStatus } from '@perigee/core'
import type { OrphanCursor, PublishReceiptInput } from '@perigee/core/workflow'
import { AttestationEntity, type Attestation } from '../entities/Attestation.js'
import { PublicationEntity, type Publication } from '../entities/Publication.js'
import { countBy, selectProofs } from '../selectAs.js'
import { recordPins } from './pins.js'

/*
 * The moves of a proof's life. Each names the states it may leave, so a late or repeated step cannot move a proof back. Only a retry
 * leaves a failed state: what an attempt finishes after its run has given it up does not count, because the run would not learn of it.
 */

type Db = DataSource | EntityManager

const now = () => 'now()'
const noError = { errorCode: null, errorMessage: null }

/** False when the proof is in none of the states that it may leave. */
async function move(
  db: Db,
  slug: string,
  from: ProofStatus[],
  to: QueryDeepPartialEntity<Publication>,
): Promise<boolean> {
  const publications = db.getRepository(PublicationEntity)
  const { affected } = await publications.update({ slug, status: In(from) }, { statusSince: now, ...to })
  return affected === 1
}

/** `nodes`: where the receipt was seen pinned. False when the proof was not waiting for it. */
export async function markPinned(
  db: DataSource,
  slug: string,
  { cid, receipt, nodes }: { cid: string; receipt: string; nodes: readonly string[] },
): Promise<boolean> {
  await recordPins(db, cid, nodes)
  return move(db, slug, ['pending_pin'], { status: 'pending_onchain', cid, receipt, ...noError })
}

/** What an attestation says about the verification of its quote. */
export type Verification = Pick<Attestation, 'collateralCid' | 'verifiedAt' | 'tcbStatus' | 'advisoryIds' | 'issuedAt'>

/**
 * The receipt will name a later verification than the one `before` it, or another contract. Nothing happens when another
 * worker has just written one: then that one counts.
 */
export async function renewVerification(
  db: DataSource,
  slug: string,
  before: Pick<Attestation, 'collateralCid' | 'verifiedAt' | 'anchors'>,
  next: Partial<Verification & Pick<Attestation, 'anchors'>>,
): Promise<void> {
  const { collateralCid, verifiedAt, anchors } = before
  const { contract } = anchors.publication
  const isStill = Raw((column) => `${column}->'publication'->>'contract' = :contract`, { contract })
  await db.getRepository(AttestationEntity).update({ slug, collateralCid, verifiedAt, anchors: isStill }, next)
}

/**
 * A pinned receipt that became too old before it got a nonce is pinned again, under another CID. So are receipts that name it as their
 * wallet's birth and have no nonce either. `slotId`: the spent slot that the proof had. False when another worker has moved it since.
 */
export function markOutdated(
  db: DataSource,
  { slug, cid, slotId }: { slug: string; cid: string; slotId: string | null },
): Promise<boolean> {
  return db.transaction(async (manager) => {
    const publications = manager.getRepository(PublicationEntity)
    const waiting = { status: 'pending_onchain' as const, slotId: IsNull() }
    const unpinned = { status: 'pending_pin' as const, statusSince: now, cid: null, receipt: null }
    const own = { ...waiting, slug, cid, ...(slotId !== null && { slotId }) }
    const { affected } = await publications.update(own, unpinned)
    if (affected !== 1) return false
    const { kind, walletId } = await publications.findOneByOrFail({ slug })
    if (kind === 'birth') await publications.update({ ...waiting, walletId }, unpinned)
    return true
  })
}

export type OnchainPlace = { onchainTxHash: Hex; onchainBlockNumber: number; onchainBlockHash: Hex }

export async function markComplete(db: DataSource, slug: string, place: OnchainPlace): Promise<void> {
  await move(db, slug, ['pending_onchain'], { status: 'complete', ...place, ...noError })
}

export interface FailedStep {
  slug: string
  status: 'pin_failed' | 'onchain_failed'
  code: string
  message: string
}

/** False when the step has been finished meanwhile, by an attempt that nobody waited for any more. */
export function markFailed(db: DataSource, { slug, status, code, message }: FailedStep): Promise<boolean> {
  const pending = status === 'pin_failed' ? 'pending_pin' : 'pending_onchain'
  return move(db, slug, [pending, status], { status, errorCode: code, errorMessage: message })
}

/** The proof is under way again, at the step that had failed, and not abandoned any more. */
export async function markRetried(db: Db, slug: string): Promise<void> {
  const status = () => `CASE status WHEN 'pin_failed' THEN 'pending_pin' ELSE 'pending_onchain' END`
  await move(db, slug, ['pin_failed', 'onchain_failed'], { status, abandonedAt: null })
}

/**
 * Nobody works on the proof any more, so it shows a failed state, which a retry can leave. A step that ran out of time may have
 * left it pending.
 */
export async function markAbandoned(db: Db, slug: string): Promise<void> {
  const status = () =>
    `CASE status WHEN 'pending_pin' THEN 'pin_failed' WHEN 'pending_onchain' THEN 'onchain_failed' ELSE status END`
  const errorCode = () => `coalesce(error_code, 'publish_abandoned')`
  const abandoned = { status, errorCode, abandonedAt: now }
  await db.getRepository(PublicationEntity).update({ slug, status: Not('complete') }, abandoned)
}

/** Proofs by state, without those that are complete or abandoned. */
export async function countUnfinished(db: DataSource): Promise<Record<string, number>> {
  const unfinished = db
    .createQueryBuilder(PublicationEntity, 'publication')
    .where(`publication.status <> 'complete' AND publication.abandonedAt IS NULL`)
  const none = { pending_pin: 0, pending_onchain: 0, pin_failed: 0, onchain_failed: 0 }
  return { ...none, ...(await countBy(unfinished, 'publication.status')) }
}

/** Proofs that are still pending this long after their signature. */
export function countOverdue(db: DataSource, seconds: number): Promise<number> {
  return db
    .createQueryBuilder(PublicationEntity, 'publication')
    .where(`publication.status IN ('pending_pin', 'pending_onchain')`)
    .andWhere('publication.createdAt < now() - make_interval(secs => :seconds)', { seconds })
    .getCount()
}

/** What starting the workflow of a proof needs. */
function startable(db: DataSource, more: Record<string, string> = {}) {
  return selectProofs(db, ['slug', 'kind', 'txHash', 'chainId'], more)
    .orderBy('publication.createdAt')
    .addOrderBy('publication.slug')
}

/** Proofs that failed on the way to the chain although a transaction of theirs was mined since, abandoned or not. */
export function findPublishedFailures(db: DataSource, limit: number): Promise<PublishReceiptInput[]> {
  return startable(db)
    .innerJoin('PublisherSlot', 'slot', 'slot.id = publication.slotId')
    .where(`publication.status = 'onchain_failed' AND slot.state = 'confirmed'`)
    .limit(limit)
    .getRawMany<PublishReceiptInput>()
}

export interface UnfinishedProof extends PublishReceiptInput {
  /** As Postgres writes it: a JavaScript date would lose the microseconds. */
  createdAt: string
  waitingSeconds: number
}

/** Proofs that are not terminal and older than `ageSeconds`, oldest first. `after`: the last one of the page before. */
export function findUnfinished(
  db: DataSource,
  ageSeconds: number,
  limit: number,
  after: OrphanCursor | null = null,
): Promise<UnfinishedProof[]> {
  const unfinished = startable(db, {
    createdAt: '(publication.createdAt)::text',
    waitingSeconds: 'extract(epoch FROM now() - publication.createdAt)::bigint',
  })
    .where(`publication.status IN ('pending_pin', 'pending_onchain') AND publication.abandonedAt IS NULL`)
    .andWhere('publication.createdAt < now() - make_interval(secs => :ageSeconds)', { ageSeconds })
    .limit(limit)
  if (after) unfinished.andWhere('(publication.createdAt, publication.slug) > (:createdAt::timestamptz, :slug)', after)
  return unfinished.getRawMany<UnfinishedProof>()
}

/** When the signature behind a proof was recorded; null for an unknown slug. */
export async function signedAt(db: DataSource, slug: string): Promise<Date | null> {
  const row = await db.getRepository(PublicationEntity).findOne({ select: { createdAt: true }, where: { slug } })
  return row && new Date(row.createdAt)
}
