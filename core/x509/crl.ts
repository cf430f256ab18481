import { equalBytes, toHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import { ServiceError, withCode } from '../errors/index.js'
import { readExtensions, type Certificate } from './certificate.js'
import { DerError, DerReader, readBitString, readInteger, readSingle, readSmallInteger, tag } from './der.js'
import { isSigned, readSignatureAlgorithm, type SignatureAlgorithm } from './signature.js'
import { readTime } from './time.js'

export interface Crl {
  tbs: Uint8Array
  signatureAlgorithm: SignatureAlgorithm
  signature: Uint8Array
  issuer: Uint8Array
  thisUpdate: UnixSeconds
  nextUpdate: UnixSeconds
  revoked: ReadonlySet<Hex>
}

const maxCrl = 1024 * 1024

/** Parses an X.509 v2 CRL exactly. Throws `crl_invalid`. */
export function parseCrl(der: unknown): Crl {
  if (!(der instanceof Uint8Array) || der.length > maxCrl) {
    throw new ServiceError('crl_invalid', 'a CRL is at most a megabyte of DER')
  }
  return withCode('crl_invalid', 'not a well-formed CRL', () => readCrl(der))
}

function readCrl(der: Uint8Array): Crl {
  const outer = new DerReader(readSingle(der, tag.sequence).content)
  const tbs = outer.read(tag.sequence)
  const algorithm = outer.read(tag.sequence)
  const signature = readBitString(outer.read(tag.bitString).content)
  outer.finish()

  const body = new DerReader(tbs.content)
  if (readSmallInteger(body.read(tag.integer).content) !== 1) throw new DerError('not a v2 CRL')
  if (!equalBytes(body.read(tag.sequence).whole, algorithm.whole)) throw new DerError('two signature algorithms')
  const issuer = body.read(tag.sequence).whole
  const thisUpdate = readTime(body.read())
  // Without nextUpdate nobody could tell a fresh CRL from an old one that hides a revocation.
  const nextUpdate = readTime(body.read())
  const entries = body.readIf(tag.sequence)
  // A critical CRL extension (a delta, a partial scope) would mean that absence proves nothing.
  readExtensions(body.enter(0xa0), [])
  body.finish()

  return {
    tbs: tbs.whole,
    signatureAlgorithm: readSignatureAlgorithm(algorithm.whole),
    signature,
    issuer,
    thisUpdate,
    nextUpdate,
    revoked: entries ? readEntries(entries.content) : new Set(),
  }
}

function readEntries(content: Uint8Array): Set<Hex> {
  const list = new DerReader(content)
  const revoked = new Set<Hex>()
  while (!list.done) {
    const entry = list.enter(tag.sequence)
    revoked.add(toHex(readInteger(entry.read(tag.integer).content)))
    readTime(entry.read())
    if (!entry.done) {
      const extensions = entry.enter(tag.sequence)
      while (!extensions.done) {
        const item = extensions.enter(tag.sequence)
        item.read(tag.oid)
        // A critical entry extension (certificateIssuer) would say that the serial is another issuer's.
        if (item.readIf(tag.boolean)?.content[0]) throw new DerError('critical entry extension')
        item.read(tag.octetString)
        item.finish()
      }
    }
    entry.finish()
  }
  return revoked
}

/** Throws `crl_invalid` unless `issuer`, a CA that may sign CRLs, signed this list under its own name. */
export async function verifyCrl(crl: Crl, issuer: Certificate): Promise<void> {
  if (!equalBytes(crl.issuer, issuer.subject)) throw new ServiceError('crl_invalid', 'the CRL is another issuer’s')
  if (!issuer.isCa || !issuer.keyUsage?.crlSign) {
    throw new ServiceError('crl_invalid', 'the CRL’s issuer may not sign CRLs', { issuer: issuer.commonName })
  }
  if (!(await isSigned(issuer.publicKey, crl.signatureAlgorithm, crl.tbs, crl.signature))) {
    throw new ServiceError('crl_invalid', 'the CRL’s signature is not its issuer’s', { issuer: issuer.commonName })
  }
}

/** Throws `crl_expired` or `crl_not_yet_valid` outside thisUpdate..nextUpdate. */
export function checkCrlTime(crl: Crl, now: UnixSeconds): void {
  const facts = { now, thisUpdate: crl.thisUpdate, nextUpdate: crl.nextUpdate }
  if (now < crl.thisUpdate) throw new ServiceError('crl_not_yet_valid', 'the CRL is from the future', facts)
  if (now > crl.nextUpdate) throw new ServiceError('crl_expired', 'the CRL is stale; fetch a new one', facts)
}
