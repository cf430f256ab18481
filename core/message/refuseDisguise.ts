import { ServiceError } from '../errors/index.js'

/*
 * EIP-191 keeps a message from ever being a transaction: its preimage starts with 0x19. These checks are about people and
 * programs that read the message itself: nobody has a reason to have a transaction, an authorisation or a bare hash signed
 * as a message, apart from hiding what it is. 64 hex digits in a text are not refused: a sign-in's nonce looks the same.
 */

/** Throws for a serialized transaction or an EIP-7702 authorisation, as bytes or written as hex, and for the 32 bytes of a hash. */
export function refuseDisguise(bytes: Uint8Array, text: string | null): void {
  const decoded = text === null ? null : bytesOfHexText(text.trim())
  for (const form of decoded ? [bytes, decoded] : [bytes]) refuseTransaction(form)
  if (bytes.length === 32 && text === null) {
    throw new ServiceError('message_is_hash', 'a bare hash is never signed: send the content that it stands for')
  }
}

function refuseTransaction(bytes: Uint8Array): void {
  const [type = 0] = bytes
  if (type === 0x05 && isRlpList(bytes, 1)) {
    throw new ServiceError('message_is_transaction', 'an EIP-7702 authorisation would hand over the whole account')
  }
  if ((type >= 0x01 && type <= 0x04 && isRlpList(bytes, 1)) || isRlpList(bytes, 0)) {
    throw new ServiceError('message_is_transaction', 'the message is a serialized transaction: use POST /sign/digest')
  }
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
