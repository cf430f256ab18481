import { z } from 'zod'
import { canonicalJson, parseStrictJson, type Hex } from '../bytes/index.js'
import { hexOf } from '../bytes/hexSchema.js'
import { parseSchema } from '../errors/parseSchema.js'
import type { Facts } from '../errors/index.js'

/** One event of the audit log in its place in the chain. An export holds one on each line. */
export interface AuditEntry {
  /** From 1 on, without gaps. */
  sequence: number
  /** ISO 8601 with milliseconds. */
  at: string
  kind: string
  /** Id of the user it is about; null when unknown. */
  subject: string | null
  facts: Facts
  previousHash: Hex
  hash: Hex
}

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
const schema = z.strictObject({
  sequence: z.int().positive(),
  at: z.iso.datetime({ precision: 3 }),
  kind: z.string(),
  subject: z.string().nullable(),
  facts: z.record(z.string(), scalar),
  previousHash: hexOf(32),
  hash: hexOf(32),
})

/** A line of an export; throws `parse_failed`. */
export function parseAuditLine(line: string): AuditEntry {
  return parseSchema<AuditEntry>(schema, parseStrictJson(line), 'parse_failed', 'event')
}

export const toAuditLine = (entry: AuditEntry): string => canonicalJson(entry)
