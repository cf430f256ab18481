import { p256 } from '@noble/curves/p256'
import { p384 } from '@noble/curves/p384'
import { sha256 } from '@noble/hashes/sha2'
import { concatBytes, fromHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import { bitString, boolean, der, integer, octetString, oid, sequence, set, time, utf8String } from './derWriter.js'

/** Signs to-be-signed bytes and says by which algorithm. RSA keys live outside core, so that signing may be slow. */
export interface CertificateSigner {
  /** DER AlgorithmIdentifier. */
  algorithm: Uint8Array
  sign(tbs: Uint8Array): Uint8Array | Promise<Uint8Array>
}

export interface ExtensionToMint {
  oid: string
  critical?: boolean
  value: Uint8Array
}

export interface CertificateToMint {
  serial: number | bigint
  subject: string
  issuer: string
  notBefore: UnixSeconds
  notAfter: UnixSeconds
  /** DER SubjectPublicKeyInfo. */
  publicKey: Uint8Array
  role: 'ca' | 'leaf' | 'bare'
  pathLength?: number
  extensions?: readonly ExtensionToMint[]
}

export interface CrlToMint {
  issuer: string
  issuerPublicKey: Uint8Array
  thisUpdate: UnixSeconds
  nextUpdate: UnixSeconds
  revokedSerials?: readonly (number | bigint)[]
}

/** Who signs is written into every certificate, so that nobody takes a simulated one for a vendor's. */
const organization = 'Perigee development (SIMULATED)'

/** A DER certificate. `bare` has neither basic constraints nor key usage, as AMD's chip certificates. */
export async function mintCertificate(spec: CertificateToMint, signer: CertificateSigner): Promise<Uint8Array> {
  const extensions = [...(spec.role === 'bare' ? [] : usageExtensions(spec)), ...(spec.extensions ?? [])]
  const tbs = sequence(
    der(0xa0, integer(2)),
    integer(spec.serial),
    signer.algorithm,
    name(spec.issuer),
    sequence(time(spec.notBefore), time(spec.notAfter)),
    name(spec.subject),
    spec.publicKey,
    der(0xa3, sequence(...extensions.map(extension))),
  )
  return sequence(tbs, signer.algorithm, bitString(await signer.sign(tbs)))
}

/** A DER CRL, version 2, with the authority key id and number that Intel's profile asks for. */
export async function mintCrl(spec: CrlToMint, signer: CertificateSigner): Promise<Uint8Array> {
  const revoked = (spec.revokedSerials ?? []).map((serial) => sequence(integer(serial), time(spec.thisUpdate)))
  const extensions = [
    { oid: '2.5.29.35', value: sequence(der(0x80, keyId(spec.issuerPublicKey))) },
    { oid: '2.5.29.20', value: integer(1) },
  ]
  const tbs = sequence(
    integer(1),
    signer.algorithm,
    name(spec.issuer),
    time(spec.thisUpdate),
    time(spec.nextUpdate),
    ...(revoked.length > 0 ? [sequence(...revoked)] : []),
    der(0xa0, sequence(...extensions.map(extension))),
  )
  return sequence(tbs, signer.algorithm, bitString(await signer.sign(tbs)))
}

function usageExtensions(spec: CertificateToMint): ExtensionToMint[] {
  const isCa = spec.role === 'ca'
  const limits = isCa ? [boolean(true), ...(spec.pathLength === undefined ? [] : [integer(spec.pathLength)])] : []
  const usage = isCa ? bitString(Uint8Array.of(0x06), 1) : bitString(Uint8Array.of(0xc0), 6)
  return [
    { oid: '2.5.29.19', critical: true, value: sequence(...limits) },
    { oid: '2.5.29.15', critical: true, value: usage },
    { oid: '2.5.29.14', value: octetString(keyId(spec.publicKey)) },
  ]
}

function extension({ oid: id, critical, value }: ExtensionToMint): Uint8Array {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value))
}

function name(commonName: string): Uint8Array {
  const part = (id: string, text: string) => set(sequence(oid(id), utf8String(text)))
  return sequence(part('2.5.4.3', commonName), part('2.5.4.10', organization))
}

function keyId(publicKey: Uint8Array): Uint8Array {
  return sha256(publicKey).subarray(0, 20)
}

const curves = { 'P-256': { curve: p256, oid: '1.2.840.10045.3.1.7' }, 'P-384': { curve: p384, oid: '1.3.132.0.34' } }

/** DER SubjectPublicKeyInfo of a private scalar's public key. */
export function publicKeyOf(privateKey: Hex, kind: keyof typeof curves = 'P-256'): Uint8Array {
  const { curve, oid: id } = curves[kind]
  const point = curve.getPublicKey(fromHex(privateKey), false)
  return sequence(sequence(oid('1.2.840.10045.2.1'), oid(id)), bitString(point))
}

/** Signs with ECDSA P-256 and SHA-256 (RFC 6979, so the same input gives the same certificate). */
export function ecdsaSigner(privateKey: Hex): CertificateSigner {
  return {
    algorithm: sequence(oid('1.2.840.10045.4.3.2')),
    sign: (tbs) => p256.sign(sha256(tbs), fromHex(privateKey)).toDERRawBytes(),
  }
}

/** r || s of an ECDSA P-256 signature over SHA-256, as quotes and Intel's JSON carry it. */
export function signRaw(privateKey: Hex, ...parts: readonly Uint8Array[]): Uint8Array {
  return p256.sign(sha256(concatBytes(...parts)), fromHex(privateKey)).toCompactRawBytes()
}
