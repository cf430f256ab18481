import { sha256 } from '@noble/hashes/sha2'
import { fromHex, toHex, type Hex } from '../bytes/index.js'

/** A key's id is derived from its public key, so one key cannot take another's id. */
export function keyIdOf(publicKey: Hex): string {
  return `key_${toHex(sha256(fromHex(publicKey, 33))).slice(2, 42)}`
}
