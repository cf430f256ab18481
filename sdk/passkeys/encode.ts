import { bytesToHex, concat, hexToBytes, numberToBytes, sha256, stringToBytes, zeroHash } from 'viem'
import type { Hex, Intent, OwnersRecord } from '../types.js'

// The same bytes as core/authorisation, written again because the published package may not import core. Tests compare them.

/** What an owner agrees to. Its SHA-256 is the passkey's challenge. */
export function encodeIntent(intent: Intent): Uint8Array {
  const fields = [
    stringToBytes(intent.kind),
    hexToBytes(intent.address),
    hexToBytes(intent.ownersHash),
    numberToBytes(intent.chainId, { size: 8 }),
    hexToBytes(intent.digest),
    numberToBytes(intent.validUntil, { size: 8 }),
    hexToBytes(intent.salt),
  ]
  const length = (field: Uint8Array) => numberToBytes(field.length, { size: 4 })
  return concat([stringToBytes('perigee.intent.v1\0'), ...fields.flatMap((field) => [length(field), field])])
}

export function intentChallenge(intent: Intent): Uint8Array {
  return sha256(encodeIntent(intent), 'bytes')
}

/** SHA-256 of the canonical record (RFC 8785); zeros for a wallet without owners. */
export function ownersHash(owners: OwnersRecord | null): Hex {
  return owners === null ? zeroHash : sha256(stringToBytes(canonical(owners)))
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join()}}`
}

export function hexOf(bytes: ArrayBuffer | Uint8Array): Hex {
  return bytesToHex(new Uint8Array(bytes))
}

/** Without padding, as WebAuthn writes it. */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

export function fromBase64url(value: string): Uint8Array {
  const base64 = value.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
}

/** DER in front of every P-256 key: SubjectPublicKeyInfo, then 04, x and y. */
const spkiPrefix = '0x3059301306072a8648ce3d020106082a8648ce3d030107034200'

/** The 33 bytes of a P-256 key that a browser gave as SPKI; null for any other key. */
export function compressSpki(spki: ArrayBuffer | Uint8Array): Hex | null {
  const hex = hexOf(spki)
  if (hex.length !== 2 + 91 * 2 || !hex.startsWith(`${spkiPrefix}04`)) return null
  const [x, y] = [hex.slice(56, 120), hex.slice(120)]
  return compress(x, y)
}

/** A point as 33 bytes: the parity of y, then x. */
export function compress(x: string, y: string): Hex {
  return `0x${Number.parseInt(y.slice(-1), 16) % 2 ? '03' : '02'}${x}`
}
