import { p256 } from '@noble/curves/p256'
import { fromHex, type Hex } from '../bytes/index.js'
import { createVerifiedCache, importKey, isEcdsaSigned, isSigned, type PublicKey } from '../x509/index.js'

/** Recently used keys: decompressing and importing one takes longer than checking a signature with it. */
const known = createVerifiedCache<PublicKey>(64)

/** A P-256 key for WebCrypto. Browsers import uncompressed points only; the one here is compressed (33 bytes). */
function p256Key(publicKey: Hex): PublicKey {
  const found = known.get(publicKey)
  if (found) return found
  const point = p256.ProjectivePoint.fromHex(fromHex(publicKey, 33)).toRawBytes(false)
  const key: PublicKey = { kind: 'P-256', spki: new Uint8Array(0), point }
  known.set(publicKey, key)
  return key
}

/** True when the key signed `data` (SHA-256, r || s). Never throws on hostile bytes. */
export async function isP256Signed(publicKey: Hex, data: Uint8Array, signature: Uint8Array): Promise<boolean> {
  try {
    return await isEcdsaSigned(await importKey(p256Key(publicKey)), 'SHA-256', data, signature)
  } catch {
    return false // not a point of the curve
  }
}

/** The same for a signature in DER, which authenticators make. Both high and low s are accepted. */
export async function isP256SignedDer(publicKey: Hex, data: Uint8Array, signature: Uint8Array): Promise<boolean> {
  try {
    return await isSigned(p256Key(publicKey), 'ecdsa-sha256', data, signature)
  } catch {
    return false
  }
}

/** True for the compressed form of a point of the curve. */
export function isP256Key(publicKey: Hex): boolean {
  try {
    p256Key(publicKey)
    return true
  } catch {
    return false
  }
}
