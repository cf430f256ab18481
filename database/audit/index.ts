export { appendAuditEvent } from './appendAuditEvent.js'
export { auditHash, type AuditEvent } from './auditHash.js'
export type { AuditKind } from './AuditKind.js'
export { verifyAuditLog, type AuditVerdict } from './verifyAuditLog.js'
