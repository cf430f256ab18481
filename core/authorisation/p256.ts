import { p256 } from '@noble/curves/p256'
import { fromHex, type Hex } from '../bytes/index.js'
import { createVerifiedCache, importKey, isEcdsaSigned, isSigned, type PublicKey } from '../x509/index.js'

/** Recently used keys: decompressing and importing one takes longer than checking a signature with it. */
const known = createVerifiedCache<PublicKey>(64)

/**
 * A P-256 key for WebCrypto; undefined for what is not the compressed form (33 bytes) of a point of the curve. Browsers
 * import uncompressed points only.
 */
function p256Key(publicKey: Hex): PublicKey | undefined {
  const found = known.get(publicKey)
  if (found) return found
  try {
    const point = p256.ProjectivePoint.fromHex(fromHex(publicKey, 33)).toRawBytes(false)
    const key: PublicKey = { kind: 'P-256', spki: new Uint8Array(0), point }
    known.set(publicKey, key)
    return key
  } catch {
    return undefined
  }
}

/** True for the compressed form of a point of the curve. */
export const isP256Key = (publicKey: Hex): boolean => p256Key(publicKey) !== undefined

/** True when the key signed `data` (SHA-256, r || s). Never throws on hostile bytes. */
export async function isP256Signed(publicKey: Hex, data: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const key = p256Key(publicKey)
  return key !== undefined && isEcdsaSigned(importKey(key), 'SHA-256', data, signature)
}

/** The same for a signature in DER, which authenticators make. Both high and low s are accepted. */
export async function isP256SignedDer(publicKey: Hex, data: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const key = p256Key(publicKey)
  return key !== undefined && isSigned(key, 'ecdsa-sha256', data, signature)
}
