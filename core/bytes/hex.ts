import { bytesToHex } from '@noble/hashes/utils'
import { ServiceError } from '../errors/index.js'

export { concatBytes } from '@noble/hashes/utils'

/** `0x` and lower-case hex digits, two per byte. */
export type Hex = `0x${string}`

/** Seconds since 1970, an integer. */
export type UnixSeconds = number

/** Value of a digit by the low five bits of its code: 0-9 are 16-25, a-f and A-F are 1-6. Call only after the pattern matched. */
const digits = Uint8Array.from({ length: 32 }, (_, code) => (code >= 16 ? code - 16 : code + 9))

const hexPattern = /^0x(?:[0-9a-fA-F]{2})*$/

/** Bytes as lower-case hex with `0x`. */
export function toHex(bytes: Uint8Array): Hex {
  return `0x${bytesToHex(bytes)}`
}

/** Bytes of a hex string, of an exact length when one is given. Throws `parse_failed` for anything else. */
export function fromHex(text: unknown, length?: number): Uint8Array {
  if (typeof text !== 'string' || !hexPattern.test(text)) {
    throw new ServiceError('parse_failed', 'expected a hex string with 0x and whole bytes')
  }
  const bytes = new Uint8Array((text.length - 2) / 2)
  if (length !== undefined && bytes.length !== length) {
    throw new ServiceError('parse_failed', `expected ${length} bytes, got ${bytes.length}`)
  }
  for (let i = 0; i < bytes.length; i++) {
    const high = digits[text.charCodeAt(2 + i * 2) & 31] as number
    bytes[i] = (high << 4) | (digits[text.charCodeAt(3 + i * 2) & 31] as number)
  }
  return bytes
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i] as number)
  return difference === 0
}
