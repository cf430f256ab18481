import { IsNull, type DataSource } from 'typeorm'
import { cidOf, toHex } from '@perigee/core'
import { auditHeadDocument } from '@perigee/core/auditLog'
import { AuditAnchorEntity, AuditHeadEntity, type AuditLogAnchor } from '../entities/AuditEvent.js'
import { PublisherSlotEntity, type PublisherSlot, type PublisherTransaction } from '../entities/Publisher.js'
import { insertNew } from '../insertNew.js'
import type { OnchainPlace } from '../publishing/publications.js'
import { openSlot } from '../publishing/slots.js'
import { storeBundlesOnce } from '../signing/bundles.js'

/** Reads the head of the log and keeps what is to be published about it; a head that was kept before is given back as it was. */
export async function anchorHead(db: DataSource, at: string): Promise<AuditLogAnchor> {
  const { sequence, hash: bytes } = await db.getRepository(AuditHeadEntity).findOneByOrFail({ id: 1 })
  const known = await findAnchor(db, sequence)
  if (known) return known
  const hash = toHex(bytes)
  const document = auditHeadDocument({ sequence, hash, at })
  const cid = cidOf(document)
  await storeBundlesOnce(db, [{ cid, kind: 'audit-head', bytes: Buffer.from(document) }])
  await insertNew(db, AuditAnchorEntity, { sequence, hash, at, cid })
  return db.getRepository(AuditAnchorEntity).findOneByOrFail({ sequence }) // another run may have been faster
}

export function findAnchor(db: DataSource, sequence: number): Promise<AuditLogAnchor | null> {
  return db.getRepository(AuditAnchorEntity).findOneBy({ sequence })
}

/** The slot that carries this anchor; null before it has one. */
export async function findSlotOfAnchor(db: DataSource, { slotId }: AuditLogAnchor): Promise<PublisherSlot | null> {
  return slotId === null ? null : db.getRepository(PublisherSlotEntity).findOneBy({ id: slotId })
}

/** As `openSlot`, for an anchor that has the slot `anchor.slotId`, or none, until now. */
export function openAnchorSlot(
  db: DataSource,
  slot: PublisherSlot,
  transaction: PublisherTransaction,
  { anchor, minedCount }: { anchor: AuditLogAnchor; minedCount: number },
): Promise<number | null> {
  return db.transaction(async (manager) => {
    const { sequence, slotId } = anchor
    const where = { sequence, slotId: slotId ?? IsNull(), onchainTxHash: IsNull() }
    const mine = await manager.findOne(AuditAnchorEntity, { where, lock: { mode: 'pessimistic_write' } })
    if (!mine) return null
    const due = await openSlot(manager, slot, transaction, { slugs: [], formerId: null, minedCount })
    if (due === slot.nonce) await manager.update(AuditAnchorEntity, { sequence }, { slotId: slot.id })
    return due
  })
}

export async function markAnchored(db: DataSource, sequence: number, place: OnchainPlace): Promise<void> {
  await db.getRepository(AuditAnchorEntity).update({ sequence }, place)
}

// SQL: two aggregates on the database's clock.
const ageSql = `
  SELECT extract(epoch FROM now() - coalesce(
    (SELECT max(at) FROM audit_anchors WHERE onchain_tx_hash IS NOT NULL),
    (SELECT at FROM audit_events ORDER BY sequence LIMIT 1), now()))::float8 AS age`

/** Seconds since the head was read that was anchored last; without any anchor, the age of the first event. */
export async function anchorAge(db: DataSource): Promise<number> {
  return (await db.query<[{ age: number }]>(ageSql))[0].age
}
