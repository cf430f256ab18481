import { constants, createPrivateKey, createPublicKey, generateKeyPair, sign, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { p256 } from '@noble/curves/p256'
import { p384 } from '@noble/curves/p384'
import { sha256 } from '@noble/hashes/sha2'
import { fromHex, toHex, type Hex } from '../../bytes/index.js'

/** Signs to-be-signed bytes, in WebCrypto's form, and says by which of its algorithms. */
export interface CertificateSigner {
  algorithm: { name: string; hash: string; namedCurve?: string; saltLength?: number }
  sign(data: Uint8Array): Uint8Array
}

/** Signs with ECDSA P-256 and SHA-256 (RFC 6979, so the same input gives the same certificate). */
export function ecdsaSigner(privateKey: Hex): CertificateSigner {
  return {
    algorithm: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
    sign: (data) => p256.sign(sha256(data), fromHex(privateKey)).toCompactRawBytes(),
  }
}

/** Signs with RSA-PSS as AMD does: SHA-384 and 48 bytes of salt. The key is PKCS #8. */
export function rsaSigner(pkcs8: Hex): CertificateSigner {
  const key = rsaKey(pkcs8)
  return {
    algorithm: { name: 'RSA-PSS', hash: 'SHA-384', saltLength: 48 },
    sign: (data) => sign('sha384', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 48 }),
  }
}

/** The RSA keys of an SNP PKI, as PKCS #8. */
export interface SnpRsaKeys {
  ark: Hex
  ask: Hex
}

/** New ones of 4096 bits. Takes seconds, which is why tests keep them. */
export async function createRsaKeys(): Promise<SnpRsaKeys> {
  const [ark, ask] = await Promise.all([createRsaKey(), createRsaKey()])
  return { ark, ask }
}

async function createRsaKey(): Promise<Hex> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 4096 })
  return toHex(privateKey.export({ type: 'pkcs8', format: 'der' }))
}

/** DER SubjectPublicKeyInfo of a PKCS #8 key. */
export function rsaPublicKey(pkcs8: Hex): Uint8Array {
  return spkiOf(createPublicKey(rsaKey(pkcs8)))
}

/** DER SubjectPublicKeyInfo of a private scalar's public key. */
export function ecPublicKey(privateKey: Hex, curve: 'P-256' | 'P-384' = 'P-256'): Uint8Array {
  const point = Buffer.from((curve === 'P-256' ? p256 : p384).getPublicKey(fromHex(privateKey), false))
  const half = (point.length - 1) / 2
  const [x, y] = [point.subarray(1, 1 + half), point.subarray(1 + half)].map((part) => part.toString('base64url'))
  return spkiOf(createPublicKey({ key: { kty: 'EC', crv: curve, x: x as string, y: y as string }, format: 'jwk' }))
}

const rsaKeys = new Map<Hex, KeyObject>()

/** Parsed once: that takes milliseconds. */
function rsaKey(pkcs8: Hex): KeyObject {
  const known = rsaKeys.get(pkcs8)
  if (known) return known
  const key = createPrivateKey({ key: Buffer.from(pkcs8.slice(2), 'hex'), type: 'pkcs8', format: 'der' })
  rsaKeys.set(pkcs8, key)
  return key
}

function spkiOf(key: KeyObject): Uint8Array {
  return new Uint8Array(key.export({ type: 'spki', format: 'der' }))
}
