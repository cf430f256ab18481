import 'reflect-metadata'
import { createHash } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import type { UnixSeconds } from '../../index.js'
import type { CertificateSigner } from './signers.js'

export interface CertificateToMint {
  /** Above 0. */
  serial: number
  subject: string
  issuer: string
  notBefore: UnixSeconds
  notAfter: UnixSeconds
  /** DER SubjectPublicKeyInfo. */
  publicKey: Uint8Array
  /** `bare` has neither basic constraints nor key usage, as AMD's chip certificates. */
  role: 'ca' | 'leaf' | 'bare'
  pathLength?: number
  /** The vendors' own, none of them critical. */
  extensions?: readonly { oid: string; value: Uint8Array }[]
}

export interface CrlToMint {
  issuer: string
  issuerPublicKey: Uint8Array
  thisUpdate: UnixSeconds
  nextUpdate: UnixSeconds
  revokedSerials?: readonly number[]
  /** OIDs of extensions to leave out. */
  without?: readonly string[]
}

/** A DER certificate. */
export async function mintCertificate(spec: CertificateToMint, signer: CertificateSigner): Promise<Uint8Array> {
  const own = (spec.extensions ?? []).map(({ oid, value }) => new x509.Extension(oid, false, value as BufferSource))
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: serialOf(spec.serial),
      subject: nameOf(spec.subject),
      issuer: nameOf(spec.issuer),
      notBefore: dateOf(spec.notBefore),
      notAfter: dateOf(spec.notAfter),
      publicKey: spec.publicKey as BufferSource,
      extensions: [...(spec.role === 'bare' ? [] : usageExtensions(spec)), ...own],
      ...signingKey(signer),
    },
    cryptoOf(signer),
  )
  return new Uint8Array(certificate.rawData)
}

/** A DER CRL, version 2, with the authority key id and number that Intel's profile asks for. */
export async function mintCrl(spec: CrlToMint, signer: CertificateSigner): Promise<Uint8Array> {
  const revocationDate = dateOf(spec.thisUpdate)
  const crl = await x509.X509CrlGenerator.create(
    {
      issuer: nameOf(spec.issuer),
      thisUpdate: revocationDate,
      nextUpdate: dateOf(spec.nextUpdate),
      entries: (spec.revokedSerials ?? []).map((serial) => ({ serialNumber: serialOf(serial), revocationDate })),
      extensions: [
        new x509.AuthorityKeyIdentifierExtension(keyId(spec.issuerPublicKey)),
        new x509.Extension('2.5.29.20', false, Uint8Array.of(0x02, 1, 1)), // CRL number 1
      ].filter(({ type }) => !spec.without?.includes(type)),
      ...signingKey(signer),
    },
    cryptoOf(signer),
  )
  return new Uint8Array(crl.rawData)
}

function usageExtensions({ role, pathLength, publicKey }: CertificateToMint): x509.Extension[] {
  const { keyCertSign, cRLSign, digitalSignature, nonRepudiation } = x509.KeyUsageFlags
  return [
    new x509.BasicConstraintsExtension(role === 'ca', role === 'ca' ? pathLength : undefined, true),
    new x509.KeyUsagesExtension(role === 'ca' ? keyCertSign | cRLSign : digitalSignature | nonRepudiation, true),
    new x509.SubjectKeyIdentifierExtension(keyId(publicKey)),
  ]
}

/** The organization is in every name, so that nobody takes a simulated certificate for a vendor's. */
function nameOf(commonName: string): x509.Name {
  return new x509.Name([{ CN: [commonName] }, { O: ['Perigee development (SIMULATED)'] }])
}

/** The library asks WebCrypto to sign; ours signs without it, so that a certificate is the same each time. */
function cryptoOf({ sign }: CertificateSigner): Crypto {
  const subtle = { sign: async (_: unknown, _key: unknown, data: ArrayBuffer) => sign(new Uint8Array(data)) }
  return { subtle } as unknown as Crypto
}

function signingKey({ algorithm }: CertificateSigner) {
  return { signingKey: { algorithm } as unknown as CryptoKey, signingAlgorithm: algorithm as EcdsaParams }
}

function serialOf(serial: number): string {
  const hex = serial.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}

const keyId = (publicKey: Uint8Array) => createHash('sha256').update(publicKey).digest('hex').slice(0, 40)
const dateOf = (seconds: UnixSeconds) => new Date(seconds * 1000)
