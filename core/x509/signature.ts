import { equalBytes } from '../bytes/index.js'
import { DerError, DerReader, readBitString, readInteger, readOid, readSingle, readSmallInteger, tag } from './der.js'

/** Signature algorithms that Intel and AMD use, by name. RSA-PSS is always SHA-384, MGF1 of SHA-384 and 48 bytes of salt. */
export type SignatureAlgorithm = 'ecdsa-sha256' | 'ecdsa-sha384' | 'rsa-pss-sha384'
export type KeyKind = 'P-256' | 'P-384' | 'RSA'

export interface PublicKey {
  kind: KeyKind
  /** DER SubjectPublicKeyInfo. */
  spki: Uint8Array
  /** The uncompressed point of a key on a curve. */
  point?: Uint8Array
}

const ecdsa: Record<string, SignatureAlgorithm> = {
  '1.2.840.10045.4.3.2': 'ecdsa-sha256',
  '1.2.840.10045.4.3.3': 'ecdsa-sha384',
}
const rsaPss = '1.2.840.113549.1.1.10'
const sha384 = '2.16.840.1.101.3.4.2.2'
const mgf1 = '1.2.840.113549.1.1.8'
const ecKey = '1.2.840.10045.2.1'
const rsaKey = '1.2.840.113549.1.1.1'
const curves: Record<string, KeyKind> = { '1.2.840.10045.3.1.7': 'P-256', '1.3.132.0.34': 'P-384' }

/** Reads an AlgorithmIdentifier; anything but the three known ones is refused. */
export function readSignatureAlgorithm(whole: Uint8Array): SignatureAlgorithm {
  const reader = new DerReader(readSingle(whole, tag.sequence).content)
  const oid = readOid(reader.read(tag.oid).content)
  const known = Object.hasOwn(ecdsa, oid) ? ecdsa[oid] : undefined
  if (known) {
    reader.finish()
    return known
  }
  if (oid !== rsaPss) throw new DerError(`signature algorithm ${oid}`)
  readPssParameters(reader.enter(tag.sequence))
  reader.finish()
  return 'rsa-pss-sha384'
}

/** RFC 4055 section 3.1. AMD writes the trailer field in some certificates and leaves it out in others. */
function readPssParameters(parameters: DerReader): void {
  readHash(parameters.enter(0xa0))
  const mask = parameters.enter(0xa1).enter(tag.sequence)
  if (readOid(mask.read(tag.oid).content) !== mgf1) throw new DerError('RSA-PSS with another mask function')
  readHash(mask)
  const salt = parameters.enter(0xa2)
  if (readSmallInteger(salt.read(tag.integer).content) !== 48) throw new DerError('RSA-PSS with another salt length')
  const trailer = parameters.readIf(0xa3)
  if (trailer && readSmallInteger(readSingle(trailer.content, tag.integer).content) !== 1) {
    throw new DerError('RSA-PSS with another trailer')
  }
  parameters.finish()
}

function readHash(reader: DerReader): void {
  const hash = reader.enter(tag.sequence)
  if (readOid(hash.read(tag.oid).content) !== sha384) throw new DerError('RSA-PSS with another hash')
  if (!hash.done && hash.read(tag.null).content.length !== 0) throw new DerError('odd null')
  hash.finish()
  reader.finish()
}

export function readPublicKey(spki: Uint8Array): PublicKey {
  const reader = new DerReader(readSingle(spki, tag.sequence).content)
  const algorithm = reader.enter(tag.sequence)
  const key = readBitString(reader.read(tag.bitString).content)
  reader.finish()
  const oid = readOid(algorithm.read(tag.oid).content)
  if (oid === rsaKey) return { kind: 'RSA', spki: checkRsa(key, spki) }
  if (oid !== ecKey) throw new DerError(`key algorithm ${oid}`)
  const curve = readOid(algorithm.read(tag.oid).content)
  const kind = Object.hasOwn(curves, curve) ? curves[curve] : undefined
  if (!kind) throw new DerError(`curve ${curve}`)
  if (key[0] !== 4 || key.length !== (kind === 'P-256' ? 65 : 97)) throw new DerError('point not uncompressed')
  return { kind, spki, point: key }
}

/** AMD's keys have 4096 bits and the exponent 65537. Others are refused: a huge modulus would cost too much time. */
function checkRsa(key: Uint8Array, spki: Uint8Array): Uint8Array {
  const reader = new DerReader(readSingle(key, tag.sequence).content)
  const modulus = readInteger(reader.read(tag.integer).content)
  const exponent = readSmallInteger(reader.read(tag.integer).content)
  reader.finish()
  if (modulus.length !== 513 || exponent !== 65537) throw new DerError('RSA key of another size')
  return spki
}

const imported = new WeakMap<PublicKey, Promise<CryptoKey>>()

/** The key for WebCrypto, made once for each parsed certificate. Rejects for a point that is not on its curve. */
export function importKey(key: PublicKey): Promise<CryptoKey> {
  const known = imported.get(key)
  if (known) return known
  const task = importNow(key)
  imported.set(key, task)
  return task
}

async function importNow({ kind, spki, point }: PublicKey): Promise<CryptoKey> {
  if (kind === 'RSA' || !point) {
    const algorithm = { name: 'RSA-PSS', hash: 'SHA-384' }
    return crypto.subtle.importKey('spki', spki as BufferSource, algorithm, false, ['verify'])
  }
  // Three times as fast as importing the SubjectPublicKeyInfo.
  return crypto.subtle.importKey('raw', point as BufferSource, { name: 'ECDSA', namedCurve: kind }, false, ['verify'])
}

/** True when `signature`, as certificates and CRLs carry it, is this key's over `data`. Never throws on hostile bytes. */
export async function isSigned(
  key: PublicKey,
  algorithm: SignatureAlgorithm,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if ((algorithm === 'rsa-pss-sha384') !== (key.kind === 'RSA')) return false
  try {
    if (key.kind === 'RSA') {
      const pss = { name: 'RSA-PSS', saltLength: 48 }
      return await crypto.subtle.verify(pss, await importKey(key), signature as BufferSource, data as BufferSource)
    }
    const hash = algorithm === 'ecdsa-sha256' ? 'SHA-256' : 'SHA-384'
    const raw = rawEcdsaSignature(signature, key.kind === 'P-256' ? 32 : 48)
    return await isEcdsaSigned(importKey(key), hash, data, raw)
  } catch {
    return false // a point off the curve, a signature that is not DER
  }
}

/** The same for a signature in the fixed r || s form. A key that cannot be imported has signed nothing. */
export async function isEcdsaSigned(
  key: CryptoKey | Promise<CryptoKey>,
  hash: 'SHA-256' | 'SHA-384',
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  try {
    return await crypto.subtle.verify(
      { name: 'ECDSA', hash },
      await key,
      signature as BufferSource,
      data as BufferSource,
    )
  } catch {
    return false
  }
}

/** r || s of a DER ECDSA signature, each padded to `size` bytes. */
function rawEcdsaSignature(der: Uint8Array, size: number): Uint8Array {
  const reader = new DerReader(readSingle(der, tag.sequence).content)
  const out = new Uint8Array(size * 2)
  for (const end of [size, size * 2]) {
    let part = readInteger(reader.read(tag.integer).content)
    if (part[0] === 0) part = part.subarray(1)
    if (part.length > size) throw new DerError('signature part too long')
    out.set(part, end - part.length)
  }
  reader.finish()
  return out
}

export function isSameKey(a: PublicKey, b: PublicKey): boolean {
  return equalBytes(a.spki, b.spki)
}
