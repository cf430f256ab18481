import { keccak_256 } from '@noble/hashes/sha3'
import { pointCompress, recover } from 'tiny-secp256k1'
import { fromHex, toHex, type Hex, type ParsedSignature } from '@perigee/core'

/*
 * libsecp256k1 as WebAssembly, used for every signature: several times faster than the JavaScript in `core`, which also
 * runs in browsers. `secp256k1.test.ts` compares the two.
 */

const addressOfPoint = (point: Uint8Array): Hex => toHex(keccak_256(point.subarray(1)).subarray(12))

/** The address of a compressed public key. Throws when it is not one. */
export function addressOfKey(publicKey: Hex): Hex {
  return addressOfPoint(pointCompress(fromHex(publicKey, 33), false))
}

/** The address whose key made this signature. Throws when there is none. */
export function recoverAddress({ hash, signature }: { hash: Hex; signature: ParsedSignature }): Promise<Hex> {
  const { r, s, yParity } = signature
  const point = recover(fromHex(hash, 32), Buffer.concat([fromHex(r, 32), fromHex(s, 32)]), yParity, false)
  if (!point) return Promise.reject(new Error('no public key recovers'))
  return Promise.resolve(addressOfPoint(point))
}
