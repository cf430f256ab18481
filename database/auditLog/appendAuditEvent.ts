import type { DataSource, EntityManager } from 'typeorm'
import { AuditHeadEntity, type AuditEvent, type AuditHead } from '../entities/AuditEvent.js'
import { auditHash } from './auditHash.js'
import type { AuditKind } from './AuditKind.js'

type Head = Pick<AuditHead, 'sequence' | 'hash'>
type NewEvent = Pick<AuditEvent, 'at' | 'subject' | 'facts'> & { kind: AuditKind }

/** The head that this process wrote last, and how many appends are running. The database confirms the head or refuses it. */
const known = new WeakMap<DataSource, { last: Head | null; writing: number }>()

/**
 * Adds an event behind the last one. The head's row puts the events of all processes in one order. A process that wrote
 * the last event appends in one statement; otherwise it locks the head and reads it first.
 */
export async function appendAuditEvent(database: DataSource, event: NewEvent): Promise<void> {
  const mine = known.get(database) ?? { last: null, writing: 0 }
  known.set(database, mine)
  const guess = mine.writing === 0 ? mine.last : null
  mine.last = null
  mine.writing += 1
  try {
    const appended = guess && (await appendBehind(database, guess, event))
    mine.last = appended ?? (await database.transaction((manager) => appendLocked(manager, event)))
  } finally {
    mine.writing -= 1
  }
}

async function appendLocked(manager: EntityManager, event: NewEvent): Promise<Head> {
  const head = await manager.findOne(AuditHeadEntity, { where: { id: 1 }, lock: { mode: 'pessimistic_write' } })
  if (!head) throw new Error('the audit log has no head')
  const next = await appendBehind(manager, head, event)
  if (!next) throw new Error('the locked head of the audit log has moved')
  return next
}

// SQL: the audit chain. One statement moves the head and writes the event, and does neither when the head has moved.
const appendSql = `
  WITH head AS (
    UPDATE audit_head SET sequence = $1, hash = $7 WHERE id = 1 AND sequence = $1::bigint - 1 AND hash = $6 RETURNING id
  )
  INSERT INTO audit_events (sequence, at, kind, subject, facts, previous_hash, hash)
  SELECT $1, $2::timestamptz, $3::text, $4::text, $5::jsonb, $6, $7 FROM head RETURNING sequence`

/** The new head; null, and nothing is written, when `head` is no longer the head. */
async function appendBehind(db: DataSource | EntityManager, head: Head, event: NewEvent): Promise<Head | null> {
  const { at, kind, subject, facts } = event
  const sequence = head.sequence + 1
  const hash = auditHash({ ...event, sequence }, head.hash)
  const values = [sequence, at, kind, subject, JSON.stringify(facts), head.hash, hash]
  const rows = await db.query<unknown[]>(appendSql, values)
  return rows.length === 1 ? { sequence, hash } : null
}
