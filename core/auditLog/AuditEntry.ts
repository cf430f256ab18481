import { sha256 } from '@noble/hashes/sha2'
import { z } from 'zod'
import { hexOf } from '../bytes/hexSchema.js'
import { canonicalJson, concatBytes, fromHex, parseStrictJson, toHex, type Hex } from '../bytes/index.js'
import { parseSchema } from '../errors/index.js'

const schema = z.strictObject({
  /** From 1 on, without gaps. */
  sequence: z.int().positive(),
  /** ISO 8601 with milliseconds. */
  at: z.iso.datetime({ precision: 3 }),
  kind: z.string(),
  /** Id of the user it is about; null when unknown. */
  subject: z.string().nullable(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  previousHash: hexOf(32),
  hash: hexOf(32),
})

/** One event of the audit log in its place in the chain. An export holds one on each line. */
export type AuditEntry = z.infer<typeof schema>

/** A line of an export; throws `parse_failed`. */
export function parseAuditLine(line: string): AuditEntry {
  return parseSchema(schema, parseStrictJson(line), 'parse_failed', 'event')
}

export const toAuditLine = (entry: AuditEntry): string => canonicalJson(entry)

/** What the first event follows. */
export const emptyLogHash: Hex = `0x${'00'.repeat(32)}`

/** SHA-256 over the previous hash and the canonical event: changing any event changes every hash after it. */
export function auditHash(entry: Omit<AuditEntry, 'previousHash' | 'hash'>, previous: Hex): Hex {
  const { sequence, at, kind, subject, facts } = entry
  const bytes = new TextEncoder()
  const text = canonicalJson({ sequence, at, kind, subject, facts })
  return toHex(sha256(concatBytes(bytes.encode('perigee.audit.v1\n'), fromHex(previous, 32), bytes.encode(text))))
}
