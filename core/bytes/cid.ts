import { CID } from 'multiformats/cid'
import * as Digest from 'multiformats/hashes/digest'
import { sha256 } from '@noble/hashes/sha2'
import { ServiceError, withCode } from '../errors/index.js'
import { equalBytes } from './hex.js'

const rawCodec = 0x55
const sha2_256 = 0x12

/** CIDv1, raw codec, SHA-256, base32: the name of these exact bytes. */
export function cidOf(bytes: Uint8Array): string {
  return CID.createV1(rawCodec, Digest.create(sha2_256, sha256(bytes))).toString()
}

/** Throws `cid_mismatch` unless `cid` is a raw SHA-256 CIDv1 that names exactly these bytes. */
export function verifyCid(cid: string, bytes: Uint8Array): void {
  if (!equalBytes(parseRawCid(cid), sha256(bytes))) {
    throw new ServiceError('cid_mismatch', 'the bytes do not hash to the CID they were fetched by', { cid })
  }
}

/** The 32-byte digest inside a raw SHA-256 CIDv1. Other forms are refused, because they do not name plain bytes. */
function parseRawCid(cid: string): Uint8Array {
  const parsed = withCode('cid_mismatch', 'not a CID', () => CID.parse(cid))
  if (parsed.version !== 1 || parsed.code !== rawCodec || parsed.multihash.code !== sha2_256) {
    throw new ServiceError('cid_mismatch', 'the CID is not CIDv1 raw SHA-256', { cid: parsed.toString() })
  }
  return parsed.multihash.digest
}
