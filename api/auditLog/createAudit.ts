import type { Facts } from '@perigee/core'
import { appendAuditEvent, type AuditKind } from '../../database/index.js'
import type { ApiDeps } from '../ApiDeps.js'

/** Writes one security event, and returns when it is committed: what it is about is released only then. */
export type Audit = (kind: AuditKind, subject: string | null, facts?: Facts) => Promise<void>

export function createAudit({ database, now }: Pick<ApiDeps, 'database' | 'now'>): Audit {
  return (kind, subject, facts = {}) => appendAuditEvent(database, { at: now(), kind, subject, facts })
}
