import { bytesToHex } from 'viem'
import type { Hex } from '../../types.js'

const hasCredential = 0x40
const hasExtensions = 0x80
/** CTAP2 canonical CBOR: a P-256 key for ES256 has this one encoding. */
const coseKey = /^0xa5010203262001215820(.{64})225820(.{64})(.*)$/

/**
 * A new passkey's key, read from the attestation object; null for any other kind than ES256. For browsers where a password
 * manager or an add-on denies `getPublicKey`, so it is loaded only there. A wrong key does no harm: the assertion that follows fails.
 */
export function attestedKey(attestationObject: ArrayBuffer): Hex | null {
  try {
    const { authData } = readCbor(new Uint8Array(attestationObject)) as { authData?: unknown }
    return authData instanceof Uint8Array ? keyOf(authData) : null
  } catch {
    return null
  }
}

/** WebAuthn, 6.1: 37 bytes, the AAGUID, the id with its length, and the key; after it, extensions if there are any. */
function keyOf(data: Uint8Array): Hex | null {
  const [flags = 0, high = 0, low = 0] = [data[32], data[53], data[54]]
  const [, x, y, rest] = coseKey.exec(bytesToHex(data.subarray(55 + high * 256 + low))) ?? []
  if (!(flags & hasCredential) || !x || !y || (rest && !(flags & hasExtensions))) return null
  return `0x${Number.parseInt(y.slice(-1), 16) % 2 ? '03' : '02'}${x}` // the parity of y, then x
}

/** One item of CBOR (RFC 8949) and nothing after it: numbers, bytes, texts, lists and maps of definite length. */
function readCbor(bytes: Uint8Array): unknown {
  let at = 0
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw new Error('CBOR ends too early')
    return bytes.subarray(at, (at += length))
  }
  const read = (): unknown => {
    const [first = 0] = take(1)
    const [kind, short] = [first >> 5, first & 31]
    if (kind > 5 || short > 26) throw new Error('CBOR of another kind')
    const value = short < 24 ? short : take(1 << (short - 24)).reduce((sum, byte) => sum * 256 + byte, 0)
    if (kind === 0) return value
    if (kind === 1) return -1 - value
    if (kind === 2) return take(value)
    if (kind === 3) return new TextDecoder().decode(take(value))
    const items: unknown[] = []
    for (let left = value * (kind - 3); left > 0; left--) items.push(read())
    if (kind === 4) return items
    return Object.fromEntries(items.flatMap((key, i) => (i % 2 ? [] : [[key, items[i + 1]]])))
  }
  const item = read()
  if (at !== bytes.length) throw new Error('more than one item')
  return item
}
