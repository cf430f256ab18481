import { secp256k1 } from '@noble/curves/secp256k1'
import { sha256 } from '@noble/hashes/sha2'
import { keccak_256 } from '@noble/hashes/sha3'
import { fromHex, toHex, type Hex } from '../bytes/index.js'
import { withCode } from '../errors/index.js'

/** The address of a compressed secp256k1 public key. */
export function addressOfPublicKey(publicKey: Hex): Hex {
  const point = withCode('public_key_mismatch', 'not a compressed secp256k1 public key', () =>
    secp256k1.ProjectivePoint.fromHex(fromHex(publicKey, 33)).toRawBytes(false),
  )
  return toHex(keccak_256(point.slice(1)).slice(12))
}

/** A key's id is derived from its public key, so one key cannot take another's id. */
export function keyIdOf(publicKey: Hex): string {
  return `key_${toHex(sha256(fromHex(publicKey, 33))).slice(2, 42)}`
}
