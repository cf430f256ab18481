import { z } from 'zod'
import type { Hex } from './hex.js'

/** A string that parses to `Hex`. */
type HexSchema = z.ZodString & z.ZodType<Hex, string>

/** Exactly this many bytes as lower-case hex with `0x`: one value has one spelling. */
export function hexOf(bytes: number) {
  const form = new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`)
  return z.string().regex(form, `0x and ${bytes * 2} lower-case hex digits`) as HexSchema
}

/** At most this many bytes as lower-case hex with `0x`. */
export function hexUpTo(bytes: number) {
  return z
    .string()
    .max(2 + bytes * 2)
    .regex(/^0x(?:[0-9a-f]{2})*$/, 'lower-case hex with 0x and whole bytes') as HexSchema
}
