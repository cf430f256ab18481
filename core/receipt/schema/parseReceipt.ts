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
  <Receipt>(kind: ReceiptKind) =>
  (bytes: Uint8Array): Receipt =>
    checkForm(kind, parseCanonical(bytes))

export const parseReceipt = parserOf<AttestationReceiptV1>('transaction')
export const parseBirth = parserOf<BirthReceiptV1>('birth')
export const parseMessageReceipt = parserOf<MessageReceiptV1>('message')

const names = { transaction: 'receipt', birth: 'birth receipt', message: 'message receipt' }
const checkForm = <Receipt>(kind: ReceiptKind, value: unknown): Receipt =>
  parseSchema(receiptSchemas[kind], value, 'receipt_invalid', names[kind])

const kinds = new Map<unknown, ReceiptKind>([
  ['perigee-birth/1', 'birth'],
  ['perigee-message/1', 'message'],
])

/** The same for any of them, as the bytes themselves say. */
export function parseAnyReceipt(bytes: Uint8Array): AnyReceipt {
  const value = parseCanonical(bytes)
  return checkForm(kindOf(value), value)
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
    return kindOf(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return 'transaction'
  }
}

const kindOf = (value: unknown): ReceiptKind =>
  kinds.get((value as { version?: unknown } | null)?.version) ?? 'transaction'

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
