export { auditHeadDocument, auditLogAnchored, type AuditAnchor } from './AuditAnchor.js'
export { parseAuditLine, toAuditLine, type AuditEntry } from './AuditEntry.js'
export { createAuditCheck, type AuditVerdict } from './createAuditCheck.js'
