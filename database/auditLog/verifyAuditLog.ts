import { MoreThan, type DataSource, type EntityManager } from 'typeorm'
import { AuditEventEntity, AuditHeadEntity } from '../entities/AuditEvent.js'
import { auditHash } from './auditHash.js'

export interface AuditVerdict {
  /** Events that were checked. */
  events: number
  /** Hash of the last one. Written down elsewhere, it also proves that the log was not rewritten. */
  head: string
  /** What is wrong, with the sequence where it shows; empty when the log is whole. */
  faults: { sequence: number; fault: string }[]
}

const batch = 1_000

/** Recomputes the chain from its beginning. Finds edited, removed, added and reordered events. */
export async function verifyAuditLog(database: DataSource | EntityManager): Promise<AuditVerdict> {
  const faults: AuditVerdict['faults'] = []
  let [previous, last, events]: [Buffer, number, number] = [Buffer.alloc(32), 0, 0]
  for (;;) {
    const page = await database.getRepository(AuditEventEntity).find({
      where: { sequence: MoreThan(last) },
      order: { sequence: 'ASC' },
      take: batch,
    })
    for (const event of page) {
      const { sequence } = event
      if (sequence !== last + 1) faults.push({ sequence, fault: `events ${last + 1} to ${sequence - 1} are missing` })
      if (!event.previousHash.equals(previous)) faults.push({ sequence, fault: 'does not follow the event before it' })
      if (!event.hash.equals(auditHash(event, event.previousHash))) {
        faults.push({ sequence, fault: 'was changed after it was written' })
      }
      previous = event.hash
      last = sequence
      events += 1
    }
    if (page.length < batch) break
  }
  const head = await database.getRepository(AuditHeadEntity).findOneBy({ id: 1 })
  if (!head || head.sequence !== last || !head.hash.equals(previous)) {
    faults.push({ sequence: last + 1, fault: 'events at the end are missing or were added by hand' })
  }
  return { events, head: previous.toString('hex'), faults }
}
