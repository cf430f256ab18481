import { IsNull, Not, type DataSource } from 'typeorm'
import { AuditHeadEntity } from '../entities/AuditEvent.js'

/** Stores where the daily check found a fault, so that every worker's metric shows it; null when the log is whole. */
export async function setBrokenAt(db: DataSource, brokenAt: number | null): Promise<void> {
  await db.getRepository(AuditHeadEntity).update({ id: 1 }, { brokenAt })
}

export function isAuditLogBroken(db: DataSource): Promise<boolean> {
  return db.getRepository(AuditHeadEntity).existsBy({ id: 1, brokenAt: Not(IsNull()) })
}
