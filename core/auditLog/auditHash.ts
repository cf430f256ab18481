import { sha256 } from '@noble/hashes/sha2'
import { canonicalJson, concatBytes, fromHex, toHex, type Hex } from '../bytes/index.js'
import type { AuditEntry } from './AuditEntry.js'

/** What the first event follows. */
export const emptyLogHash: Hex = `0x${'00'.repeat(32)}`

/** SHA-256 over the previous hash and the canonical event: changing any event changes every hash after it. */
export function auditHash(entry: Omit<AuditEntry, 'previousHash' | 'hash'>, previous: Hex): Hex {
  const { sequence, at, kind, subject, facts } = entry
  const bytes = new TextEncoder()
  const text = canonicalJson({ sequence, at, kind, subject, facts })
  return toHex(sha256(concatBytes(bytes.encode('perigee.audit.v1\n'), fromHex(previous, 32), bytes.encode(text))))
}
