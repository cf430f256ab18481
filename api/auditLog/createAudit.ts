import type { Facts } from '@perigee/core'
import { appendAuditEvent, type AuditKind } from '../../database/index.js'
import type { ApiDeps } from '../ApiDeps.js'

/** Appends one security event; resolves once it is committed. Await it before releasing what it records. */
export type Audit = (kind: AuditKind, subject: string | null, facts?: Facts) => Promise<void>

export function createAudit({ database, now }: Pick<ApiDeps, 'database' | 'now'>): Audit {
  return (kind, subject, facts = {}) => appendAuditEvent(database, { at: now(), kind, subject, facts })
}
