import type { DataSource } from 'typeorm'
import type { Facts } from '@perigee/core'
import { AuditEventEntity } from '../entities/AuditEvent.js'
import type { AuditKind } from './AuditKind.js'

/** The kind of the newest of these events that has these facts; null when there is none. Reads the log without an index. */
export async function lastAuditEvent(
  db: DataSource,
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
