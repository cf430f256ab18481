import type { DataSource, EntityManager } from 'typeorm'
import { canonicalJson } from '@perigee/core'
import type { AuditEvent } from '../entities/AuditEvent.js'
import type { AuditKind } from './AuditKind.js'

type NewEvent = Pick<AuditEvent, 'at' | 'subject' | 'facts'> & { kind: AuditKind }

/**
 * Adds an event after the last one, in one round trip. Given a transaction, the event is committed with the rest of it or
 * not at all; append it last, because the head of the log stays locked until the transaction ends.
 */
export async function appendAuditEvent(db: DataSource | EntityManager, event: NewEvent): Promise<void> {
  const { at, kind, subject, facts } = event
  // SQL: a function, see migrations/initial/appendAuditEvent.ts.
  await db.query('SELECT append_audit_event($1, $2, $3, $4)', [at.toISOString(), kind, subject, canonicalJson(facts)])
}
