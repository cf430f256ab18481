import { DataSource, IsNull, MoreThan, Not, type EntityManager } from 'typeorm'
import { toHex } from '@perigee/core'
import { createAuditCheck, type AuditAnchor, type AuditEntry, type AuditVerdict } from '@perigee/core/auditLog'
import { AuditEventEntity, AuditHeadEntity } from '../entities/AuditEvent.js'

type Db = DataSource | EntityManager

const page = 1_000

/** Every event after `after`, in its order, a page at a time. */
export async function* walkAuditLog(db: Db, after = 0): AsyncGenerator<AuditEntry> {
  for (let last = after; ;) {
    const events = await db.getRepository(AuditEventEntity).find({
      where: { sequence: MoreThan(last) },
      order: { sequence: 'ASC' },
      take: page,
    })
    for (const { at, previousHash, hash, ...event } of events) {
      yield { ...event, at: at.toISOString(), previousHash: toHex(previousHash), hash: toHex(hash) }
      last = event.sequence
    }
    if (events.length < page) return
  }
}

/** Recomputes the chain, from its beginning or after `after`, and compares it with the anchors. */
export async function verifyAuditLog(db: Db, anchors: readonly AuditAnchor[] = [], after = 0): Promise<AuditVerdict> {
  if (db instanceof DataSource) {
    // One snapshot: events may be appended meanwhile.
    return db.transaction('REPEATABLE READ', (manager) => verifyAuditLog(manager, anchors, after))
  }
  const check = createAuditCheck(anchors, after)
  for await (const entry of walkAuditLog(db, after)) check.add(entry)
  const head = await db.getRepository(AuditHeadEntity).findOneBy({ id: 1 })
  return check.end(head && { sequence: head.sequence, hash: toHex(head.hash) })
}

/** Stores where the daily check found a fault, so that every worker's metric shows it; null when the log is whole. */
export async function setBrokenAt(db: DataSource, brokenAt: number | null): Promise<void> {
  await db.getRepository(AuditHeadEntity).update({ id: 1 }, { brokenAt })
}

export function isAuditLogBroken(db: DataSource): Promise<boolean> {
  return db.getRepository(AuditHeadEntity).existsBy({ id: 1, brokenAt: Not(IsNull()) })
}
