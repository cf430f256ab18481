import { p256 } from '@noble/curves/nist'
import { z } from 'zod'
import { fromHex, toHex, type Hex, type UnixSeconds } from '@perigee/core'
import { isSignedBy, type EntropyKey, type EntropySample } from '@perigee/core/entropy'
import { malformed, parseJson, unavailable } from '../fetchFromSource.js'

const source = 'orbitport'

const value = z
  .string()
  .regex(/^(?:0x)?[0-9a-fA-F]{64}$/)
  .transform((text) => `0x${text.slice(-64).toLowerCase()}` as Hex)
const signature = z.string().regex(/^(?:(?:[0-9a-fA-F]{2}){8,80})?$/)
const restAnswer = z.object({ data: value, signature: z.object({ value: signature.nullish() }).nullish() })
const rpcError = z.object({ error: z.object({ code: z.unknown() }) })
const rpcAnswer = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.literal(1),
  result: z.object({ items: z.array(z.object({ value })).min(1) }),
})

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
  const body = parse(restAnswer, parseJson(source, bytes))
  const unsigned = plainSample(body.data, receivedAt)
  const der = body.signature?.value
  if (!der || pinned.length === 0) return unsigned
  const compact = compactOf(der)
  for (const [keyId, key] of pinned) {
    if (compact === null || !isSignedBy(key, fromHex(body.data), compact)) continue
    return {
      ...unsigned,
      provenance: key.shows,
      signature: { algorithm: key.algorithm, keyId, value: toHex(compact) },
    }
  }
  throw malformed(source, 'the signature is not by a pinned key')
}

/** `{ jsonrpc, id, result: { items: [{ value, src }] } }`: never signed. Errors come with HTTP 200. */
export function parseRpcAnswer(bytes: Uint8Array, count: number, receivedAt: UnixSeconds): EntropySample[] {
  const json = parseJson(source, bytes)
  const failed = rpcError.safeParse(json)
  if (failed.success) {
    const { code } = failed.data.error
    throw unavailable(source, 'rpc_error', typeof code === 'number' ? { rpcCode: code } : {})
  }
  const { items } = parse(rpcAnswer, json).result
  if (items.length > count) throw malformed(source, 'more items than asked for')
  return items.map((item) => plainSample(item.value, receivedAt))
}

function plainSample(value: Hex, receivedAt: UnixSeconds): EntropySample {
  return {
    version: 1,
    source,
    provenance: 'operator-asserted',
    value,
    receivedAt,
    producedAt: null,
    sequence: null,
    signature: null,
    beacon: null,
  }
}

/** DER as r and s of 32 bytes each, the one form we keep; null when it is neither DER nor already that form. */
function compactOf(hex: string): Uint8Array | null {
  if (hex.length === 128) return fromHex(`0x${hex}`)
  try {
    return p256.Signature.fromDER(hex).toCompactRawBytes()
  } catch {
    return null
  }
}

function parse<T extends z.ZodType>(schema: T, json: unknown): z.output<T> {
  const result = schema.safeParse(json)
  if (result.success) return result.data
  throw malformed(source, `the answer has another form (${result.error.issues[0]?.path.join('.')})`)
}
