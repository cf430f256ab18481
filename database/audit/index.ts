export { appendAuditEvent } from './appendAuditEvent.js'
export { auditHash, type AuditEvent } from './auditHash.js'
export { verifyAuditLog, type AuditVerdict } from './verifyAuditLog.js'
