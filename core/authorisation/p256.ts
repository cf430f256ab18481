import { p256 } from '@noble/curves/p256'
import { fromHex, type Hex } from '../bytes/index.js'
import { isEcdsaSigned, isSigned } from '../x509/index.js'

/** A P-256 key for WebCrypto. Browsers import uncompressed points only; the one here is compressed (33 bytes). */
function uncompressed(publicKey: Hex): Uint8Array {
  return p256.ProjectivePoint.fromHex(fromHex(publicKey, 33)).toRawBytes(false)
}

/** True when the key signed `data` (SHA-256, r || s). Never throws on hostile bytes. */
export async function isP256Signed(publicKey: Hex, data: Uint8Array, signature: Uint8Array): Promise<boolean> {
  try {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
    const key = await crypto.subtle.importKey('raw', uncompressed(publicKey) as BufferSource, algorithm, false, [
      'verify',
    ])
    return await isEcdsaSigned(key, 'SHA-256', data, signature)
  } catch {
    return false // not a point of the curve
  }
}

/** The same for a signature in DER, which authenticators make. High s is as good as low s here. */
export async function isP256SignedDer(publicKey: Hex, data: Uint8Array, signature: Uint8Array): Promise<boolean> {
  try {
    const key = { kind: 'P-256' as const, spki: new Uint8Array(0), point: uncompressed(publicKey) }
    return await isSigned(key, 'ecdsa-sha256', data, signature)
  } catch {
    return false
  }
}

/** True for the compressed form of a point of the curve. */
export function isP256Key(publicKey: Hex): boolean {
  try {
    return uncompressed(publicKey).length === 65
  } catch {
    return false
  }
}
