import type { DataSource, EntityManager } from 'typeorm'
import { prepared } from '../prepared.js'
import { auditHash, type AuditEvent } from './auditHash.js'
import type { AuditKind } from './AuditKind.js'

interface Head {
  sequence: number
  hash: Buffer
}
type NewEvent = Pick<AuditEvent, 'at' | 'subject' | 'facts'> & { kind: AuditKind }

/** What this process wrote last, and whether it is writing: a guess, which the database confirms or not. */
const known = new WeakMap<DataSource, { last: Head | null; writing: number }>()

/**
 * Adds an event behind the last one. The head's row puts events of all processes into one order. Who knows the head,
 * because nobody has written since, needs one statement; the others lock it and read it first.
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
  const [row] = await manager.query<{ sequence: string; hash: Buffer }[]>(
    `SELECT sequence, hash FROM audit_head WHERE id = 1 FOR UPDATE`,
  )
  if (!row) throw new Error('the audit log has no head')
  const { next, values } = follow({ sequence: Number(row.sequence), hash: row.hash }, event)
  const appended = await manager.query<unknown[]>(appendSql, values)
  if (appended.length !== 1) throw new Error('the locked head of the audit log has moved')
  return next
}

/** Null, and nothing is written, when this is not the head any more. */
async function appendBehind(database: DataSource, head: Head, event: NewEvent): Promise<Head | null> {
  const { next, values } = follow(head, event)
  return (await prepared(database, 'append_audit_event', appendSql, values)).length === 1 ? next : null
}

const appendSql = `
  WITH head AS (
    UPDATE audit_head SET sequence = $1, hash = $7 WHERE id = 1 AND sequence = $1::bigint - 1 AND hash = $6 RETURNING id
  )
  INSERT INTO audit_events (sequence, at, kind, subject, facts, previous_hash, hash)
  SELECT $1, $2::timestamptz, $3::text, $4::text, $5::jsonb, $6, $7 FROM head RETURNING sequence`

function follow(head: Head, event: NewEvent): { next: Head; values: unknown[] } {
  const { at, kind, subject, facts } = event
  const sequence = head.sequence + 1
  const hash = auditHash({ ...event, sequence }, head.hash)
  return { next: { sequence, hash }, values: [sequence, at, kind, subject, JSON.stringify(facts), head.hash, hash] }
}
