import { toHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import { ServiceError, withCode } from '../errors/index.js'
import { DerError, DerReader, readBoolean, readInteger, readOid, readSingle, readSmallInteger, tag } from './der.js'
import { readPublicKey, type PublicKey } from './signature.js'
import { readExtensions, readSigned, type Signed } from './signed.js'
import { readTime } from './time.js'

export interface Certificate extends Signed {
  der: Uint8Array
  serial: Hex
  subject: Uint8Array
  commonName: string
  notBefore: UnixSeconds
  notAfter: UnixSeconds
  publicKey: PublicKey
  isCa: boolean
  pathLength: number | undefined
  /** Undefined when the extension is absent. */
  keyUsage: { digitalSignature: boolean; certSign: boolean; crlSign: boolean } | undefined
  /** Values by OID. */
  extensions: ReadonlyMap<string, Uint8Array>
}

const commonName = '2.5.4.3'
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
  let serial: Uint8Array = new Uint8Array()
  const { body, ...signed } = readSigned(der, (start) => {
    if (readSmallInteger(readSingle(start.read(0xa0).content, tag.integer).content) !== 2) throw new DerError('not v3')
    serial = readInteger(start.read(tag.integer).content)
    if (serial.length > 21) throw new DerError('serial number too long')
  })
  const validity = body.enter(tag.sequence)
  const notBefore = readTime(validity.read())
  const notAfter = readTime(validity.read())
  validity.finish()
  const subject = body.read(tag.sequence).whole
  const publicKey = readPublicKey(body.read(tag.sequence).whole)
  const extensions = readExtensions(body.enter(0xa3), [basicConstraints, keyUsage])
  body.finish()
  return {
    ...signed,
    der,
    serial: toHex(serial),
    subject,
    commonName: readCommonName(subject),
    notBefore,
    notAfter,
    publicKey,
    ...readBasicConstraints(extensions.get(basicConstraints)),
    keyUsage: readKeyUsage(extensions.get(keyUsage)),
    extensions,
  }
}

/** The one common name in a Name; empty when there is none. Two common names are refused as ambiguous. */
function readCommonName(name: Uint8Array): string {
  const names: string[] = []
  const rdns = new DerReader(name).enter(tag.sequence)
  while (!rdns.done) {
    const set = rdns.enter(tag.set)
    while (!set.done) {
      const attribute = set.enter(tag.sequence)
      const type = readOid(attribute.read(tag.oid).content)
      const value = attribute.read()
      attribute.finish()
      if (type !== commonName) continue
      if (value.tag !== tag.utf8String && value.tag !== tag.printableString) throw new DerError('odd string type')
      names.push(new TextDecoder('utf-8', { fatal: true }).decode(value.content))
    }
  }
  if (names.length > 1) throw new DerError('two common names')
  return names[0] ?? ''
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
