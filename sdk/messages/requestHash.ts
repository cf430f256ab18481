import { concat, hexToBytes, numberToHex, sha256, stringToBytes } from 'viem'
import type { Hex, Message } from '../types.js'

// The same bytes as core/message, written again because the published package may not import core. Tests compare them.

/** What a passkey agrees to in place of a transaction's digest. Without the salt nobody can guess the message from it. */
export function requestHash(scheme: Message['scheme'], digest: Hex, salt: Hex): Hex {
  return hash('perigee.message-request.v1', [stringToBytes(scheme), hexToBytes(digest), hexToBytes(salt)])
}

/** Commits to content and signature: it is in the receipt, and in the event where a transaction has its hash. */
export function messageCommitment(scheme: Message['scheme'], digest: Hex, salt: Hex, signature: Hex): Hex {
  const fields = [stringToBytes(scheme), hexToBytes(digest), hexToBytes(signature), hexToBytes(salt)]
  return hash('perigee.message.v1', fields)
}

function hash(name: string, fields: Uint8Array[]): Hex {
  const length = (field: Uint8Array) => hexToBytes(numberToHex(field.length, { size: 4 }))
  return sha256(concat([stringToBytes(`${name}\0`), ...fields.flatMap((field) => [length(field), field])]))
}
