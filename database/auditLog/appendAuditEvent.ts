import type { DataSource, EntityManager } from 'typeorm'
import { canonicalJson, type Facts } from '@perigee/core'
import { AuditEventEntity, type AuditEvent } from '../entities/AuditEvent.js'

/**
 * What is recorded. Names never change: add, never rename. Kinds that begin with `operator_` name the operator in `facts`.
 * `wallet_created`, `signature_recorded`, `owners_changed` and `key_resealed` are committed with the record they are about.
 */
export type AuditKind =
  | 'sign_in'
  | 'sign_in_failed'
  | 'sign_out'
  | 'sign_out_everywhere'
  | 'session_ended'
  | 'wallet_created'
  | 'signature_requested'
  | 'signature_recorded'
  | 'owners_change_requested'
  | 'owners_changed'
  | 'key_resealed'
  | 'operator_sessions_ended'
  | 'operator_publish_retried'
  | 'operator_publish_abandoned'
  | 'operator_release_announced'
  | 'operator_release_withdrawn'
  | 'operator_records_recovered'
  | 'operator_node_repinned'
  | 'operator_webhooks_replayed'
  | 'operator_log_accepted'

/** It happened now, and is about no user, unless it says otherwise. */
export type NewAuditEvent = Pick<AuditEvent, 'facts'> &
  Partial<Pick<AuditEvent, 'at' | 'subject'>> & { kind: AuditKind }

/**
 * Adds an event after the last one, in one round trip. Given a transaction, the event is committed with the rest of it or
 * not at all; append it last, because the head of the log stays locked until the transaction ends.
 */
export async function appendAuditEvent(db: DataSource | EntityManager, event: NewAuditEvent): Promise<void> {
  // SQL: a function, see migrations/initial/appendAuditEvent.ts.
  await db.query('SELECT append_audit_event($1, $2, $3, $4)', eventValues(event))
}

/** The arguments of `append_audit_event`. */
export const eventValues = ({ at = new Date(), kind, subject = null, facts }: NewAuditEvent) => {
  return [at.toISOString(), kind, subject, canonicalJson(facts)]
}

/** The kind of the newest of these events that has these facts; null when there is none. Reads the log without an index. */
export async function lastAuditEvent(
  db: DataSource | EntityManager,
  kinds: readonly AuditKind[],
  facts: Facts,
): Promise<AuditKind | null> {
  const event = await db
    .createQueryBuilder(AuditEventEntity, 'event')
    .where('event.kind IN (:...kinds) AND event.facts @> :facts', { kinds, facts: JSON.stringify(facts) })
    .orderBy('event.sequence', 'DESC')
    .limit(1)
    .getOne()
  return (event?.kind ?? null) as AuditKind | null
}
