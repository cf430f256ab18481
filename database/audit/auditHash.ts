import { createHash } from 'node:crypto'
import { canonicalJson, type Facts } from '@perigee/core'

/** A security event. Public values and ids only: the log is read by people who may not know the users. */
export interface AuditEvent {
  sequence: number
  at: Date
  kind: string
  /** Id of the user it is about; null when nobody is known. */
  subject: string | null
  facts: Facts
}

/** SHA-256 over the hash before and the canonical event: changing any event changes every hash after it. */
export function auditHash(event: AuditEvent, previous: Buffer): Buffer {
  const { sequence, at, kind, subject, facts } = event
  const text = canonicalJson({ sequence, at: at.toISOString(), kind, subject, facts })
  return createHash('sha256').update('perigee.audit.v1\n').update(previous).update(text).digest()
}
