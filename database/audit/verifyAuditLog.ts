import type { DataSource, EntityManager } from 'typeorm'
import type { Facts } from '@perigee/core'
import { auditHash } from './auditHash.js'

export interface AuditVerdict {
  /** Events that were checked. */
  events: number
  /** Hash of the last one. Written down elsewhere, it also proves that nobody rewrote the log from some point on. */
  head: string
  /** What is wrong, with the sequence where it shows; empty when the log is whole. */
  faults: { sequence: number; fault: string }[]
}

interface Row {
  sequence: string
  at: Date
  kind: string
  subject: string | null
  facts: Facts
  previous_hash: Buffer
  hash: Buffer
}

const batch = 1_000

/** Recomputes the chain from its beginning. Finds edited, removed, added and reordered events. */
export async function verifyAuditLog(database: DataSource | EntityManager): Promise<AuditVerdict> {
  const faults: AuditVerdict['faults'] = []
  let [previous, last, events]: [Buffer, number, number] = [Buffer.alloc(32), 0, 0]
  for (;;) {
    const rows = await database.query<Row[]>(
      `SELECT * FROM audit_events WHERE sequence > $1 ORDER BY sequence LIMIT ${batch}`,
      [last],
    )
    for (const row of rows) {
      const sequence = Number(row.sequence)
      if (sequence !== last + 1) faults.push({ sequence, fault: `events ${last + 1} to ${sequence - 1} are missing` })
      if (!row.previous_hash.equals(previous)) faults.push({ sequence, fault: 'does not follow the event before it' })
      if (!row.hash.equals(auditHash({ ...row, sequence }, row.previous_hash))) {
        faults.push({ sequence, fault: 'was changed after it was written' })
      }
      previous = row.hash
      last = sequence
      events += 1
    }
    if (rows.length < batch) break
  }
  const [head] = await database.query<{ sequence: string; hash: Buffer }[]>(`SELECT sequence, hash FROM audit_head`)
  if (!head || Number(head.sequence) !== last || !head.hash.equals(previous)) {
    faults.push({ sequence: last + 1, fault: 'events at the end are missing or were added by hand' })
  }
  return { events, head: previous.toString('hex'), faults }
}
