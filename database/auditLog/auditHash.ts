import { createHash } from 'node:crypto'
import { canonicalJson } from '@perigee/core'
import type { AuditEvent } from '../entities/AuditEvent.js'

/** SHA-256 over the previous hash and the canonical event: changing any event changes every hash after it. */
export function auditHash({ sequence, at, kind, subject, facts }: AuditEvent, previous: Buffer): Buffer {
  const text = canonicalJson({ sequence, at: at.toISOString(), kind, subject, facts })
  return createHash('sha256').update('perigee.audit.v1\n').update(previous).update(text).digest()
}
