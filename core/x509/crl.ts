import { equalBytes, toHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import { ServiceError, withCode } from '../errors/index.js'
import type { Certificate } from './certificate.js'
import { DerError, DerReader, readInteger, readSmallInteger, tag } from './der.js'
import { isIssuedBy, readExtensions, readSigned, type Signed } from './signed.js'
import { readTime } from './time.js'

export interface Crl extends Signed {
  thisUpdate: UnixSeconds
  nextUpdate: UnixSeconds
  revoked: ReadonlySet<Hex>
  /** The list's own, by OID. */
  extensions: ReadonlyMap<string, Uint8Array>
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
  const { body, ...signed } = readSigned(der, (start) => {
    if (readSmallInteger(start.read(tag.integer).content) !== 1) throw new DerError('not a v2 CRL')
  })
  const thisUpdate = readTime(body.read())
  // Without nextUpdate a fresh CRL looks the same as an old one that hides a revocation.
  const nextUpdate = readTime(body.read())
  const entries = body.readIf(tag.sequence)
  // A critical CRL extension (a delta, a partial scope) would mean that absence proves nothing.
  const extensions = readExtensions(body.enter(0xa0), [])
  body.finish()
  return { ...signed, thisUpdate, nextUpdate, revoked: entries ? readEntries(entries.content) : new Set(), extensions }
}

function readEntries(content: Uint8Array): Set<Hex> {
  const list = new DerReader(content)
  const revoked = new Set<Hex>()
  while (!list.done) {
    const entry = list.enter(tag.sequence)
    revoked.add(toHex(readInteger(entry.read(tag.integer).content)))
    readTime(entry.read())
    // A critical entry extension (certificateIssuer) would say that the serial is another issuer's.
    if (!entry.done) readExtensions(entry, [])
  }
  return revoked
}

/** Throws `crl_invalid` unless `issuer`, a CA that may sign CRLs, signed this list under its own name. */
export async function verifyCrl(crl: Crl, issuer: Certificate): Promise<void> {
  if (!equalBytes(crl.issuer, issuer.subject)) throw new ServiceError('crl_invalid', 'the CRL has another issuer')
  if (!issuer.isCa || !issuer.keyUsage?.crlSign) {
    throw new ServiceError('crl_invalid', 'the issuer of the CRL may not sign CRLs', { issuer: issuer.commonName })
  }
  if (!(await isIssuedBy(crl, issuer))) {
    throw new ServiceError('crl_invalid', 'the CRL is not signed by its issuer', { issuer: issuer.commonName })
  }
}

/** Throws `crl_expired` or `crl_not_yet_valid` outside thisUpdate..nextUpdate. */
export function checkCrlTime(crl: Crl, now: UnixSeconds): void {
  const facts = { now, thisUpdate: crl.thisUpdate, nextUpdate: crl.nextUpdate }
  if (now < crl.thisUpdate) throw new ServiceError('crl_not_yet_valid', 'the CRL is from the future', facts)
  if (now > crl.nextUpdate) throw new ServiceError('crl_expired', 'the CRL is stale; fetch a new one', facts)
}
