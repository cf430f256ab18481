import { equalBytes } from '../bytes/index.js'
import { DerError, DerReader, readBitString, readBoolean, readOid, readSingle, tag } from './der.js'
import { isSigned, readSignatureAlgorithm, type PublicKey, type SignatureAlgorithm } from './signature.js'

/** What certificates and CRLs have in common: bytes, and a signature over them. */
export interface Signed {
  tbs: Uint8Array
  signatureAlgorithm: SignatureAlgorithm
  signature: Uint8Array
  /** DER Name; equal names have equal bytes here, which is stricter than RFC 5280 and true of Intel and AMD. */
  issuer: Uint8Array
}

/** Reads the frame (RFC 5280 4.1.1, 5.1.1). `readStart` takes what comes before the algorithm; `body` continues after the issuer. */
export function readSigned(der: Uint8Array, readStart: (body: DerReader) => void): Signed & { body: DerReader } {
  const outer = new DerReader(readSingle(der, tag.sequence).content)
  const tbs = outer.read(tag.sequence)
  const algorithm = outer.read(tag.sequence)
  const signature = readBitString(outer.read(tag.bitString).content)
  outer.finish()
  const body = new DerReader(tbs.content)
  readStart(body)
  // RFC 5280 4.1.1.2: the algorithm is named twice, and only the inner one is signed.
  if (!equalBytes(body.read(tag.sequence).whole, algorithm.whole)) throw new DerError('two signature algorithms')
  const issuer = body.read(tag.sequence).whole
  return { tbs: tbs.whole, signatureAlgorithm: readSignatureAlgorithm(algorithm.whole), signature, issuer, body }
}

/** True when the issuer's key made the signature, under the issuer's name. */
export async function isIssuedBy(
  signed: Signed,
  issuer: { subject: Uint8Array; publicKey: PublicKey },
): Promise<boolean> {
  if (!equalBytes(signed.issuer, issuer.subject)) return false
  return isSigned(issuer.publicKey, signed.signatureAlgorithm, signed.tbs, signed.signature)
}

/** Values of the extensions of a certificate or CRL, by OID. A repeated one, or a critical one we do not know, is refused (RFC 5280 4.2). */
export function readExtensions(reader: DerReader, known: readonly string[]): Map<string, Uint8Array> {
  const list = reader.enter(tag.sequence)
  reader.finish()
  const extensions = new Map<string, Uint8Array>()
  while (!list.done) {
    const item = list.enter(tag.sequence)
    const oid = readOid(item.read(tag.oid).content)
    const flag = item.readIf(tag.boolean)
    const critical = flag ? readBoolean(flag.content) : false
    const value = item.read(tag.octetString).content
    item.finish()
    if (extensions.has(oid)) throw new DerError(`extension ${oid} twice`)
    if (critical && !known.includes(oid)) throw new DerError(`critical extension ${oid} not understood`)
    extensions.set(oid, value)
  }
  return extensions
}
