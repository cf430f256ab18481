import { equalBytes, toHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import { ServiceError, withCode } from '../errors/index.js'
import { DerError, DerReader, readBitString, readBoolean, readInteger, readOid, readSingle, tag } from './der.js'
import { readSmallInteger } from './der.js'
import { readCommonName } from './names.js'
import { readPublicKey, readSignatureAlgorithm, type PublicKey, type SignatureAlgorithm } from './signature.js'
import { readTime } from './time.js'

export interface Extension {
  critical: boolean
  value: Uint8Array
}

export interface Certificate {
  der: Uint8Array
  tbs: Uint8Array
  signatureAlgorithm: SignatureAlgorithm
  signature: Uint8Array
  serial: Hex
  /** DER Names; equal names have equal bytes here, which is stricter than RFC 5280 and true of Intel and AMD. */
  issuer: Uint8Array
  subject: Uint8Array
  commonName: string
  notBefore: UnixSeconds
  notAfter: UnixSeconds
  publicKey: PublicKey
  isCa: boolean
  pathLength: number | undefined
  /** Undefined when the extension is absent. */
  keyUsage: { digitalSignature: boolean; certSign: boolean; crlSign: boolean } | undefined
  extensions: ReadonlyMap<string, Extension>
}

const basicConstraints = '2.5.29.19'
const keyUsage = '2.5.29.15'
const maxCertificate = 16 * 1024

/** Parses an X.509 v3 certificate exactly. Throws `parse_failed`; verifies nothing. */
export function parseCertificate(der: unknown): Certificate {
  if (!(der instanceof Uint8Array) || der.length > maxCertificate) {
    throw new ServiceError('parse_failed', 'a certificate is at most 16 kilobytes of DER')
  }
  return withCode('parse_failed', 'not a well-formed certificate', () => readCertificate(der))
}

function readCertificate(der: Uint8Array): Certificate {
  const outer = new DerReader(readSingle(der, tag.sequence).content)
  const tbs = outer.read(tag.sequence)
  const algorithm = outer.read(tag.sequence)
  const signature = readBitString(outer.read(tag.bitString).content)
  outer.finish()

  const body = new DerReader(tbs.content)
  if (readSmallInteger(readSingle(body.read(0xa0).content, tag.integer).content) !== 2) throw new DerError('not v3')
  const serial = readInteger(body.read(tag.integer).content)
  if (serial.length > 21) throw new DerError('serial number too long')
  // RFC 5280 4.1.1.2: the algorithm is named twice, and only the inner one is signed.
  if (!equalBytes(body.read(tag.sequence).whole, algorithm.whole)) throw new DerError('two signature algorithms')
  const issuer = body.read(tag.sequence).whole
  const validity = body.enter(tag.sequence)
  const notBefore = readTime(validity.read())
  const notAfter = readTime(validity.read())
  validity.finish()
  const subject = body.read(tag.sequence).whole
  const publicKey = readPublicKey(body.read(tag.sequence).whole)
  const extensions = readExtensions(body.enter(0xa3))
  body.finish()

  return {
    der,
    tbs: tbs.whole,
    signatureAlgorithm: readSignatureAlgorithm(algorithm.whole),
    signature,
    serial: toHex(serial),
    issuer,
    subject,
    commonName: readCommonName(subject),
    notBefore,
    notAfter,
    publicKey,
    ...readBasicConstraints(extensions.get(basicConstraints)?.value),
    keyUsage: readKeyUsage(extensions.get(keyUsage)?.value),
    extensions,
  }
}

/** Extensions of a certificate or CRL. A repeated one, or a critical one we do not know, is refused (RFC 5280 4.2). */
export function readExtensions(reader: DerReader, known: readonly string[] = [basicConstraints, keyUsage]) {
  const list = reader.enter(tag.sequence)
  reader.finish()
  const extensions = new Map<string, Extension>()
  while (!list.done) {
    const item = list.enter(tag.sequence)
    const oid = readOid(item.read(tag.oid).content)
    const flag = item.readIf(tag.boolean)
    const critical = flag ? readBoolean(flag.content) : false
    const value = item.read(tag.octetString).content
    item.finish()
    if (extensions.has(oid)) throw new DerError(`extension ${oid} twice`)
    if (critical && !known.includes(oid)) throw new DerError(`critical extension ${oid} not understood`)
    extensions.set(oid, { critical, value })
  }
  return extensions
}

function readBasicConstraints(value: Uint8Array | undefined) {
  if (!value) return { isCa: false, pathLength: undefined }
  const reader = new DerReader(readSingle(value, tag.sequence).content)
  const flag = reader.readIf(tag.boolean)
  const length = reader.readIf(tag.integer)
  reader.finish()
  const isCa = flag ? readBoolean(flag.content) : false
  if (length && !isCa) throw new DerError('path length without CA')
  return { isCa, pathLength: length ? readSmallInteger(length.content) : undefined }
}

function readKeyUsage(value: Uint8Array | undefined): Certificate['keyUsage'] {
  if (!value) return undefined
  const { content } = readSingle(value, tag.bitString)
  const [unused, bits] = content
  if (unused === undefined || unused > 7 || bits === undefined || content.length > 3)
    throw new DerError('odd key usage')
  return { digitalSignature: (bits & 0x80) !== 0, certSign: (bits & 0x04) !== 0, crlSign: (bits & 0x02) !== 0 }
}
