import { ed25519 } from '@noble/curves/ed25519'
import { p256 } from '@noble/curves/nist'
import { sha256 } from '@noble/hashes/sha2'
import { encodeBinding } from '../binding/index.js'
import { concatBytes, equalBytes, fromHex, toHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import { createVerifiedCache } from '../x509/verifiedCache.js'
import type { EntropyKey } from './EntropyTrust.js'

/** RFC 8410 and RFC 5480: the SubjectPublicKeyInfo bytes before the raw key, for the two algorithms we know. */
const ed25519SpkiPrefix = fromHex('0x302a300506032b6570032100')
const p256SpkiPrefix = fromHex('0x3059301306072a8648ce3d020106082a8648ce3d030107034200')

/** Good signatures: a sample is checked again with each receipt that shows it, and that takes milliseconds. */
const good = createVerifiedCache<true>(64)

/** True when `signature` (64 bytes) over `message` is by this key. Hostile bytes answer false, never throw. */
export function isSignedBy(key: EntropyKey, message: Uint8Array, signature: Uint8Array): boolean {
  const all = [key.algorithm, key.publicKey, toHex(message), toHex(signature)].join()
  if (good.get(all)) return true
  const isGood = isSigned(key, message, signature)
  if (isGood) good.set(all, true)
  return isGood
}

function isSigned(key: EntropyKey, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    const publicKey = rawPublicKey(key)
    // Pure JavaScript, because some browsers in use have no Ed25519 in WebCrypto. `zip215: false` is the strict
    // RFC 8032 check. ECDSA may be high-s: sources do not normalise it, and uniqueness does not depend on it.
    if (key.algorithm === 'ed25519') return ed25519.verify(signature, message, publicKey, { zip215: false })
    return p256.verify(signature, sha256(message), publicKey, { lowS: false, prehash: false })
  } catch {
    return false
  }
}

/** The key without its SPKI wrapping, checked to be a point of the curve. Throws for anything else. */
export function rawPublicKey(key: Pick<EntropyKey, 'algorithm' | 'publicKey'>): Uint8Array {
  const bytes = fromHex(key.publicKey)
  const prefix = key.algorithm === 'ed25519' ? ed25519SpkiPrefix : p256SpkiPrefix
  const raw = equalBytes(bytes.subarray(0, prefix.length), prefix) ? bytes.subarray(prefix.length) : bytes
  if (key.algorithm === 'ed25519') ed25519.ExtendedPoint.fromHex(raw)
  else p256.ProjectivePoint.fromHex(raw)
  return raw
}

/** SPKI of a raw key, the form that other tools read. */
export function spkiOf(algorithm: EntropyKey['algorithm'], raw: Uint8Array): Uint8Array {
  return concatBytes(algorithm === 'ed25519' ? ed25519SpkiPrefix : p256SpkiPrefix, raw)
}

/** The exact bytes of `perigee-satellite/1`: domain, value, time (u64) and sequence (u64), each with its length. */
export function satelliteSignedBytes(value: Hex, producedAt: UnixSeconds, sequence: string): Uint8Array {
  return encodeBinding('perigee.satellite.v1', [fromHex(value, 32), u64(BigInt(producedAt)), u64(BigInt(sequence))])
}

function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value)
  return bytes
}
