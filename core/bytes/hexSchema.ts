import { z } from 'zod'

/** Exactly this many bytes as lower-case hex with `0x`: one value has one spelling. */
export function hexOf(bytes: number) {
  return z.string().regex(new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`), `0x and ${bytes * 2} lower-case hex digits`)
}

/** At most this many bytes as lower-case hex with `0x`. */
export function hexUpTo(bytes: number) {
  return z
    .string()
    .max(2 + bytes * 2)
    .regex(/^0x(?:[0-9a-f]{2})*$/, 'lower-case hex with 0x and whole bytes')
}
