import { z } from 'zod'
import { hexOf } from '../bytes/hexSchema.js'
import { parseSchema } from '../errors/index.js'
import { provenanceLevels, type EntropySample } from './EntropySample.js'

const printable = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\x21-\x7e]+$/, 'printable ASCII without spaces')
const base64 = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'base64')
const seconds = z.int().nonnegative()
/** A counter of 64 bits, without leading zeros. */
const counter = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,19})$/)
  .refine((text) => text.length < 20 || text <= '18446744073709551615')

const sampleSchema = z.strictObject({
  version: z.literal(1),
  source: printable(64),
  provenance: z.enum(provenanceLevels),
  value: hexOf(32),
  producedAt: seconds.nullable(),
  receivedAt: seconds,
  sequence: counter.nullable(),
  signature: z
    .strictObject({ algorithm: z.enum(['ed25519', 'ecdsa-p256-sha256']), keyId: printable(128), value: hexOf(64) })
    .nullable(),
  beacon: z
    .strictObject({
      name: printable(128),
      record: base64(16_384),
      cid: printable(128),
      block: base64(65_536),
      index: z.int().min(0).max(255),
    })
    .nullable(),
})

/**
 * A sample from untrusted JSON: exactly the known fields, each in its one canonical form (lower-case hex, no leading
 * zeros), because two spellings of one sample would be two witness hashes. Throws `entropy_invalid`. Proves nothing yet.
 */
export function parseEntropySample(input: unknown): EntropySample {
  return parseSchema(sampleSchema, input, 'entropy_invalid', 'entropy sample')
}
