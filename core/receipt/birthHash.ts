import { sha256 } from '@noble/hashes/sha2'
import { encodeBinding } from '../binding/index.js'
import { fromHex, toHex, type Hex } from '../bytes/index.js'

/** Stands in the event where a signing receipt has the transaction's hash: a wallet's birth is found by its address. */
export function birthHash(address: Hex): Hex {
  return toHex(sha256(encodeBinding('perigee.birth.v1', [fromHex(address, 20)])))
}
