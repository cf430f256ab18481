import { canonicalJson } from '../../bytes/index.js'
import { parseSchema, ServiceError, withCode } from '../../errors/index.js'
import type { AnyReceipt, AttestationReceiptV1, BirthReceiptV1, MessageReceiptV1, ReceiptKind } from '../AnyReceipt.js'
import { receiptSchemas } from './receiptSchemas.js'

/** Above any real receipt (about 20 kB), and small enough that a hostile one costs a verifier little. */
export const maxReceiptBytes = 512 * 1024

/**
 * Each takes the bytes of a receipt of one kind; returns it, or throws `receipt_too_large`, `parse_failed`,
 * `receipt_not_canonical` or `receipt_invalid`. Only the canonical spelling passes, so duplicate keys, spaces and a byte
 * order mark do not.
 */
const parserOf =
  <Receipt>(kind: ReceiptKind, name: string) =>
  (bytes: Uint8Array): Receipt =>
    parseSchema(receiptSchemas[kind], parseCanonical(bytes), 'receipt_invalid', name)

export const parseReceipt = parserOf<AttestationReceiptV1>('transaction', 'receipt')
export const parseBirth = parserOf<BirthReceiptV1>('birth', 'birth receipt')
export const parseMessageReceipt = parserOf<MessageReceiptV1>('message', 'message receipt')

const parsers = { transaction: parseReceipt, birth: parseBirth, message: parseMessageReceipt }
const kinds = new Map<unknown, ReceiptKind>([
  ['perigee-birth/1', 'birth'],
  ['perigee-message/1', 'message'],
])

/** The same for any of them, as the bytes themselves say. */
export function parseAnyReceipt(bytes: Uint8Array): AnyReceipt {
  return parsers[receiptKindOf(bytes)](bytes)
}

/** The same, or null for bytes that are no receipt. */
export function readReceipt(bytes: Uint8Array): AnyReceipt | null {
  try {
    return parseAnyReceipt(bytes)
  } catch {
    return null
  }
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

/** Parses the canonical JSON of a receipt. Printing the value again must give the same text. */
function parseCanonical(bytes: Uint8Array): unknown {
  if (!(bytes instanceof Uint8Array)) throw new ServiceError('parse_failed', 'expected bytes')
  if (bytes.length > maxReceiptBytes) {
    throw new ServiceError('receipt_too_large', `more than ${maxReceiptBytes} bytes`, { bytes: bytes.length })
  }
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const text = withCode('parse_failed', 'not JSON in UTF-8', () => decoder.decode(bytes))
  const value = withCode('parse_failed', 'not JSON in UTF-8', () => JSON.parse(text) as unknown)
  if (canonicalText(value) !== text) {
    throw new ServiceError('receipt_not_canonical', 'the bytes are not the RFC 8785 form of the value they hold')
  }
  return value
}

/** Null for values without a canonical form: fractions, half surrogates, deep nesting. */
export function canonicalText(value: unknown): string | null {
  try {
    return canonicalJson(value)
  } catch {
    return null
  }
}
