import { publicKeyFromMultihash } from '@libp2p/crypto/keys'
import { extractPublicKeyFromIPNSRecord, unmarshalIPNSRecord, type IPNSRecord } from 'ipns'
import { base36 } from 'multiformats/bases/base36'
import { CID, type MultihashDigest } from 'multiformats/cid'
import { concatBytes, equalBytes, type UnixSeconds } from '../bytes/index.js'
import { ServiceError, withCode } from '../errors/index.js'

/** https://specs.ipfs.tech/ipns/ipns-record/: at most 10 KiB, and signatureV2 covers this prefix and the CBOR data. */
const maxRecordBytes = 10 * 1024
const signaturePrefix = new TextEncoder().encode('ipns-signature:')
const libp2pKeyCodec = 0x72
const identityHash = 0x00

/**
 * Verifies that the key behind `name` signed this record, and that it had not expired at `now`; returns its value,
 * `/ipfs/<cid>`. The package's own `ipnsValidator` reads the clock, so it cannot verify a record as of the time of a
 * receipt; its parts can.
 */
export async function verifyIpnsRecord(name: string, bytes: Uint8Array, now: UnixSeconds): Promise<string> {
  if (bytes.length > maxRecordBytes) throw invalid('the IPNS record is longer than 10 KiB')
  const multihash = multihashOfName(name)
  const { record, publicKey } = unmarshal(bytes, multihash)
  // The name is the hash of the key (or the key itself): this check ties the record to the pinned name.
  if (!equalBytes(publicKey.toMultihash().bytes, multihash.bytes)) {
    throw invalid('the IPNS record is signed by the key of another name')
  }
  const signed = concatBytes(signaturePrefix, record.data)
  const good = await Promise.resolve(publicKey.verify(signed, record.signatureV2)).catch(() => false)
  if (!good) throw invalid('the signature of the IPNS record is wrong')
  const validUntil = Math.floor(Date.parse(record.validity.replace(/(\.\d{3})\d+/, '$1')) / 1000)
  if (!Number.isSafeInteger(validUntil)) throw invalid('the IPNS record has no readable expiry')
  if (validUntil < now) throw new ServiceError('entropy_stale', 'the IPNS record has expired', { validUntil, now })
  return record.value
}

function unmarshal(bytes: Uint8Array, name: MultihashDigest) {
  return withCode('entropy_invalid', 'the IPNS record cannot be read', () => {
    const record: IPNSRecord = unmarshalIPNSRecord(bytes)
    // A short key (Ed25519) is in the name itself; a long one (RSA) is in the record.
    const inName = name.code === identityHash ? publicKeyFromMultihash(name as MultihashDigest<0>) : undefined
    const publicKey = extractPublicKeyFromIPNSRecord(record) ?? inName
    if (publicKey === undefined) throw new Error('no public key in the record')
    return { record, publicKey }
  })
}

/** The multihash inside an IPNS name in base36. */
export function multihashOfName(name: string): MultihashDigest {
  return withCode('entropy_invalid', 'the IPNS name is not a base36 libp2p key', () => {
    const cid = CID.parse(name, base36)
    if (cid.version !== 1 || cid.code !== libp2pKeyCodec) throw new Error('not a libp2p key')
    return cid.multihash
  })
}

const invalid = (why: string): ServiceError => new ServiceError('entropy_invalid', why)
