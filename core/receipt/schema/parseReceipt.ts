import { canonicalJson } from '../../bytes/index.js'
import { parseSchema, ServiceError } from '../../errors/index.js'
import type { AnyReceipt, ReceiptKind } from '../AnyReceipt.js'
import type { AttestationReceiptV1 } from '../AttestationReceiptV1.js'
import type { BirthReceiptV1 } from '../BirthReceiptV1.js'
import { birthSchema } from './birthSchema.js'
import type { MessageReceiptV1 } from '../MessageReceiptV1.js'
import { messageSchema } from './messageSchema.js'
import { receiptSchema } from './receiptSchema.js'

/** Above any real receipt (about 20 kB), and small enough that a hostile one costs a verifier little. */
export const maxReceiptBytes = 512 * 1024

/**
 * Takes the bytes of a receipt of a signature; returns it, or throws `receipt_too_large`, `parse_failed`,
 * `receipt_not_canonical` or `receipt_invalid`. Only the canonical spelling passes, so duplicate keys, spaces and a byte
 * order mark do not.
 */
export function parseReceipt(bytes: Uint8Array): AttestationReceiptV1 {
  return parseSchema(receiptSchema, parseCanonical(bytes, maxReceiptBytes), 'receipt_invalid', 'receipt')
}

/** The same for the receipt of a key's creation. */
export function parseBirth(bytes: Uint8Array): BirthReceiptV1 {
  return parseSchema(birthSchema, parseCanonical(bytes, maxReceiptBytes), 'receipt_invalid', 'birth receipt')
}

/** The same for the receipt of a signed message. */
export function parseMessageReceipt(bytes: Uint8Array): MessageReceiptV1 {
  return parseSchema(messageSchema, parseCanonical(bytes, maxReceiptBytes), 'receipt_invalid', 'message receipt')
}

const parsers = { transaction: parseReceipt, birth: parseBirth, message: parseMessageReceipt }
const kinds = new Map<unknown, ReceiptKind>([
  ['perigee-birth/1', 'birth'],
  ['perigee-message/1', 'message'],
])

/** The same for any of them, as the bytes themselves say. */
export function parseAnyReceipt(bytes: Uint8Array): AnyReceipt {
  return parsers[receiptKindOf(bytes)](bytes)
}

/** What the bytes claim to be about; `transaction` for bytes that are no receipt at all. Nothing is checked. */
export function receiptKindOf(bytes: Uint8Array): ReceiptKind {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as { version?: unknown } | null
    return kinds.get(value?.version) ?? 'transaction'
  } catch {
    return 'transaction'
  }
}

/** Parses canonical JSON bytes of at most `limit` bytes. Printing the value again must give the same text. */
function parseCanonical(bytes: Uint8Array, limit: number): unknown {
  if (!(bytes instanceof Uint8Array)) throw new ServiceError('parse_failed', 'expected bytes')
  if (bytes.length > limit) {
    throw new ServiceError('receipt_too_large', `more than ${limit} bytes`, { bytes: bytes.length })
  }
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    value = JSON.parse(text)
  } catch (cause) {
    throw new ServiceError('parse_failed', 'not JSON in UTF-8', {}, cause)
  }
  if (canonicalText(value) !== text) {
    throw new ServiceError('receipt_not_canonical', 'the bytes are not the RFC 8785 form of the value they hold')
  }
  return value
}

// Values without a canonical form (fractions, half surrogates, deep nesting) are not canonical.
function canonicalText(value: unknown): string | null {
  try {
    return canonicalJson(value)
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}
