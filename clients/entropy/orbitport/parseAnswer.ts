import { p256 } from '@noble/curves/nist'
import { toHex, type UnixSeconds } from '@perigee/core'
import { isSignedBy, type EntropyKey, type EntropySample } from '@perigee/core/entropy'
import { malformed, parseJson, unavailable } from '../fetchFromSource.js'

const source = 'orbitport'
type Fields = Record<string, unknown>

/**
 * `{ service, src, data, signature: { value, pk, algo } }`. An empty signature is none. With no key pinned, a signature
 * proves nothing and is dropped; with one pinned, a signature by another is a forgery. What the answer says about its
 * own key (`pk`, `algo`) is never read: it would let the sender choose who vouches for it.
 */
export function parseRestAnswer(
  bytes: Uint8Array,
  pinned: readonly (readonly [string, EntropyKey])[],
  receivedAt: UnixSeconds,
): EntropySample {
  const body = fields(parseJson(source, bytes), 'the answer')
  const value = parseValue(body.data)
  const der = signatureText(body.signature)
  const unsigned = plainSample(value, receivedAt)
  if (der === null || pinned.length === 0) return unsigned
  const signature = compactOf(der)
  for (const [keyId, key] of pinned) {
    if (signature === null || !isSignedBy(key, value, signature)) continue
    return {
      ...unsigned,
      provenance: key.shows,
      signature: { algorithm: key.algorithm, keyId, value: toHex(signature) },
    }
  }
  throw malformed(source, 'the signature is not by a pinned key')
}

/** `{ jsonrpc, id, result: { items: [{ value, src }] } }`: never signed. Errors come with HTTP 200. */
export function parseRpcAnswer(bytes: Uint8Array, count: number, receivedAt: UnixSeconds): EntropySample[] {
  const body = fields(parseJson(source, bytes), 'the answer')
  if (body.error !== undefined && body.error !== null) {
    const { code } = fields(body.error, 'the error')
    throw unavailable(source, 'rpc_error', typeof code === 'number' ? { rpcCode: code } : {})
  }
  if (body.jsonrpc !== '2.0' || body.id !== 1) throw malformed(source, 'not the answer to this JSON-RPC call')
  const { items } = fields(body.result, 'the result')
  if (!Array.isArray(items) || items.length === 0 || items.length > count) throw malformed(source, 'no items')
  return items.map((item: unknown) => plainSample(parseValue(fields(item, 'an item').value), receivedAt))
}

function plainSample(value: Uint8Array, receivedAt: UnixSeconds): EntropySample {
  return {
    version: 1,
    source,
    provenance: 'operator-asserted',
    value: toHex(value),
    receivedAt,
    producedAt: null,
    sequence: null,
    signature: null,
    beacon: null,
  }
}

function parseValue(input: unknown): Uint8Array {
  if (typeof input !== 'string' || !/^(?:0x)?[0-9a-fA-F]{64}$/.test(input)) {
    throw malformed(source, 'the value is not 32 bytes of hex')
  }
  return Uint8Array.from(Buffer.from(input.slice(-64), 'hex'))
}

function signatureText(input: unknown): string | null {
  if (input === undefined || input === null) return null
  const { value } = fields(input, 'the signature')
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string' || !/^(?:[0-9a-fA-F]{2}){8,80}$/.test(value))
    throw malformed(source, 'the signature is not hex')
  return value
}

/** DER as r and s of 32 bytes each, the one form we keep; null when it is neither DER nor already that form. */
function compactOf(hex: string): Uint8Array | null {
  if (hex.length === 128) return Uint8Array.from(Buffer.from(hex, 'hex'))
  try {
    return p256.Signature.fromDER(hex).toCompactRawBytes()
  } catch {
    return null
  }
}

function fields(input: unknown, name: string): Fields {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw malformed(source, `${name} is not an object`)
  return input as Fields
}
