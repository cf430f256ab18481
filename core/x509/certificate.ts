import { toHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import { ServiceError, withCode } from '../errors/index.js'
import { DerError, DerReader, readBoolean, readInteger, readSingle, readSmallInteger, tag } from './der.js'
import { readCommonName } from './names.js'
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
