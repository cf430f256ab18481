import { IsNull, type DataSource } from 'typeorm'
import { cidOf, toHex, type Hex } from '@perigee/core'
import { auditHeadDocument } from '@perigee/core/auditLog'
import { AuditAnchorEntity, AuditHeadEntity, type AuditLogAnchor } from '../entities/AuditEvent.js'
import { PublisherSlotEntity, type NewSlot, type NewTransaction, type PublisherSlot } from '../entities/Publisher.js'
import { insertNew } from '../insertNew.js'
import type { OnchainPlace } from '../publishing/publications.js'
import { openSlot } from '../publishing/slots.js'
import { storeBundlesOnce } from '../signing/bundles.js'

type Head = { sequence: number; hash: Hex }

/** The head as the log states it, unchecked. */
export async function statedHead(db: DataSource): Promise<Head> {
  const { sequence, hash } = await db.getRepository(AuditHeadEntity).findOneByOrFail({ id: 1 })
  return { sequence, hash: toHex(hash) }
}

/**
 * Keeps what is to be published about a head; one that was kept before is given back as it was. The time is the database's:
 * a worker's clock may be wrong, and ages are measured here.
 */
export async function keepAnchor(db: DataSource, { sequence, hash }: Head): Promise<AuditLogAnchor> {
  const known = await findAnchor(db, sequence)
  if (known) return known
  const [{ now }] = await db.query<[{ now: Date }]>('SELECT now()')
  const at = now.toISOString()
  const document = auditHeadDocument({ sequence, hash, at })
  const cid = cidOf(document)
  await storeBundlesOnce(db, [{ cid, kind: 'audit-head', bytes: Buffer.from(document) }])
  await insertNew(db, AuditAnchorEntity, { sequence, hash, at, cid })
  return db.getRepository(AuditAnchorEntity).findOneByOrFail({ sequence }) // another run may have been faster
}

export function findAnchor(db: DataSource, sequence: number): Promise<AuditLogAnchor | null> {
  return db.getRepository(AuditAnchorEntity).findOneBy({ sequence })
}

/** Anchors whose slot is on this chain, the newest first. */
const anchorsOn = (db: DataSource, chainId: number) =>
  db
    .getRepository(AuditAnchorEntity)
    .createQueryBuilder('anchor')
    .innerJoin('PublisherSlot', 'slot', 'slot.id = anchor.slotId')
    .where('slot.chainId = :chainId', { chainId })
    .orderBy('anchor.sequence', 'DESC')

/** Anchors that are recorded as published. */
export function findPlacedAnchors(db: DataSource, chainId: number): Promise<AuditLogAnchor[]> {
  return anchorsOn(db, chainId).andWhere('anchor.onchainTxHash IS NOT NULL').getMany()
}

/** The newest of them. */
export function lastAnchor(db: DataSource, chainId: number): Promise<AuditLogAnchor | null> {
  return anchorsOn(db, chainId).andWhere('anchor.onchainTxHash IS NOT NULL').limit(1).getOne()
}

/** Anchors that have no place yet, whose transaction may still be mined, or was. */
export function findAnchorsUnderWay(db: DataSource, chainId: number): Promise<AuditLogAnchor[]> {
  const isLive = `slot.state IN ('open', 'confirmed')`
  return anchorsOn(db, chainId).andWhere('anchor.onchainTxHash IS NULL').andWhere(isLive).getMany()
}

/** The slot that carries this anchor; null before it has one. */
export async function findSlotOfAnchor(db: DataSource, { slotId }: AuditLogAnchor): Promise<PublisherSlot | null> {
  return slotId === null ? null : db.getRepository(PublisherSlotEntity).findOneBy({ id: slotId })
}

/** As `openSlot`, for an anchor that has the slot `anchor.slotId`, or none, until now. */
export async function openAnchorSlot(
  db: DataSource,
  slot: NewSlot,
  transaction: NewTransaction,
  { anchor, minedCount }: { anchor: AuditLogAnchor; minedCount: number },
): Promise<number | null> {
  const { sequence, slotId } = anchor
  const runner = db.createQueryRunner()
  try {
    await runner.startTransaction()
    const due = await openSlot(runner.manager, slot, transaction, { proofs: [], formerId: slotId, minedCount })
    if (due !== slot.nonce) return due
    const mine = { sequence, slotId: slotId ?? IsNull(), onchainTxHash: IsNull() }
    const { affected } = await runner.manager.update(AuditAnchorEntity, mine, { slotId: slot.id })
    if (affected !== 1) return null // another worker was faster
    await runner.commitTransaction()
    return due
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction()
    await runner.release()
  }
}

export async function markAnchored(db: DataSource, sequence: number, place: OnchainPlace): Promise<void> {
  await db.getRepository(AuditAnchorEntity).update({ sequence }, place)
}

// SQL: an aggregate on the database's clock.
const ageSql = `
  SELECT coalesce(greatest(0, extract(epoch FROM now() - (
    SELECT at FROM audit_events WHERE sequence > (
      SELECT coalesce(max(sequence), 0) FROM audit_anchors WHERE onchain_tx_hash IS NOT NULL)
     ORDER BY sequence LIMIT 1))), 0)::float8 AS age`

/** Seconds since the first event that no anchor vouches for; 0 when there is none, as in a log that nothing was added to. */
export async function anchorAge(db: DataSource): Promise<number> {
  return (await db.query<[{ age: number }]>(ageSql))[0].age
}
