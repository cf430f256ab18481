import { z } from 'zod'
import { hexOf } from '../bytes/hexSchema.js'
import { ServiceError } from '../errors/index.js'
import type { SnpReportKeys, TdxQuoteKeys } from './types.js'

const tdxSchema = z.object({ pckPrivateKey: hexOf(32), attestationPrivateKey: hexOf(32), pckChain: z.string() })
const level = z.int().min(0).max(255)
const tcb = z.object({ bootloader: level, tee: level, snp: level, microcode: level })
const snpSchema = z.object({ vekPrivateKey: hexOf(48), chipId: hexOf(64), tcb })

/** Keys of the simulated TDX platform from parsed JSON. Throws `parse_failed`, never naming a value. */
export const parseTdxQuoteKeys = (value: unknown): TdxQuoteKeys => parse(tdxSchema, value)

/** Keys of the simulated SNP chip from parsed JSON. Throws `parse_failed`, never naming a value. */
export const parseSnpReportKeys = (value: unknown): SnpReportKeys => parse(snpSchema, value)

function parse<T>(schema: z.ZodType, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data as T
  throw new ServiceError('parse_failed', 'the simulated platform’s key file is malformed; create it again (dev/pki)')
}
