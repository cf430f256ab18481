import { refuse } from './MessageError.js'

/** Refuses a serialized transaction or an EIP-7702 authorisation, as bytes or written as hex, and the 32 bytes of a hash. */
export function refuseDisguise(bytes: Uint8Array, text: string | null): void {
  const decoded = text === null ? null : bytesOfHexText(text.trim())
  for (const form of decoded ? [bytes, decoded] : [bytes]) {
    const [type = 0] = form
    if (type === 5 && isRlpList(form, 1)) {
      refuse('message_is_transaction', 'an EIP-7702 authorisation would hand over the whole account')
    }
    if ((type >= 1 && type <= 4 && isRlpList(form, 1)) || isRlpList(form, 0)) {
      refuse('message_is_transaction', 'the message is a serialized transaction')
    }
  }
  if (bytes.length === 32 && text === null) refuse('message_is_hash', 'a bare hash is never signed')
}

/** True when one RLP list starts at `from` and ends with the bytes. */
function isRlpList(bytes: Uint8Array, from: number): boolean {
  const first = bytes[from]
  if (first === undefined || first < 0xc1) return false
  const rest = bytes.length - from - 1
  if (first <= 0xf7) return rest === first - 0xc0 && rest > 0
  const width = first - 0xf7
  let length = 0
  for (let i = 0; i < width; i++) length = length * 256 + (bytes[from + 1 + i] ?? 0)
  return length > 55 && rest === width + length
}

function bytesOfHexText(text: string): Uint8Array | null {
  const digits = text.replace(/^0x/i, '')
  if (digits.length < 4 || !/^(?:[0-9a-fA-F]{2})+$/.test(digits)) return null
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16))
}
