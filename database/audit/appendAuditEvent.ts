import type { DataSource } from 'typeorm'
import { auditHash, type AuditEvent } from './auditHash.js'
import type { AuditKind } from './AuditKind.js'

/** Adds an event behind the last one. The head's row lock puts events of all processes into one order. */
export async function appendAuditEvent(
  database: DataSource,
  event: Pick<AuditEvent, 'at' | 'subject' | 'facts'> & { kind: AuditKind },
): Promise<void> {
  await database.transaction(async (manager) => {
    const [head] = await manager.query<{ sequence: string; hash: Buffer }[]>(
      `SELECT sequence, hash FROM audit_head WHERE id = 1 FOR UPDATE`,
    )
    if (!head) throw new Error('the audit log has no head')
    const sequence = Number(head.sequence) + 1
    const hash = auditHash({ ...event, sequence }, head.hash)
    const { at, kind, subject, facts } = event
    await manager.query(`INSERT INTO audit_events VALUES ($1, $2, $3, $4, $5, $6, $7)`, [
      ...[sequence, at, kind, subject, JSON.stringify(facts), head.hash, hash],
    ])
    await manager.query(`UPDATE audit_head SET sequence = $1, hash = $2 WHERE id = 1`, [sequence, hash])
  })
}
