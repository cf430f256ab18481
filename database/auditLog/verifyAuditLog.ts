import { DataSource, MoreThan, type EntityManager } from 'typeorm'
import { toHex } from '@perigee/core'
import { createAuditCheck, type AuditAnchor, type AuditEntry, type AuditVerdict } from '@perigee/core/auditLog'
import { AuditEventEntity, AuditHeadEntity } from '../entities/AuditEvent.js'

type Db = DataSource | EntityManager

const page = 1_000

/** Every event, in its order, a page at a time. */
export async function* walkAuditLog(db: Db): AsyncGenerator<AuditEntry> {
  for (let last = 0; ;) {
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

/** Recomputes the chain from its beginning, and compares it with the anchors. */
export async function verifyAuditLog(db: Db, anchors: readonly AuditAnchor[] = []): Promise<AuditVerdict> {
  // One snapshot: events may be appended meanwhile.
  if (db instanceof DataSource) return db.transaction('REPEATABLE READ', (manager) => verifyAuditLog(manager, anchors))
  const check = createAuditCheck(anchors)
  for await (const entry of walkAuditLog(db)) check.add(entry)
  const head = await db.getRepository(AuditHeadEntity).findOneBy({ id: 1 })
  return check.end(head && { sequence: head.sequence, hash: toHex(head.hash) })
}
