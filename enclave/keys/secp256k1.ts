import { hkdfSync } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3'
import { isPrivate, pointCompress, pointFromScalar, signRecoverable } from 'tiny-secp256k1'
import { concatBytes, toHex, type Hex } from '@perigee/core'

/*
 * libsecp256k1 as WebAssembly. The host of the machine can time what the enclave does, page by page, so everything that
 * handles a private key is C code without branches or memory addresses that depend on it, and never JavaScript's BigInt,
 * whose time depends on the value. The build embeds the bytes of the WebAssembly, so they are measured with it.
 * The one comparison of a key in JavaScript is the library's check that it is below the group order: it ends at the first
 * byte that is not 0xff, so it tells nothing that is not true of nearly every number.
 */

/**
 * A private key from secret randomness and a public sample (RFC 5869, the sample as the salt). Candidates out of range are
 * thrown away (FIPS 186-5, A.2.2): no bias, and nothing to reduce. The first one is out of range once in 2^128 times.
 */
export function derivePrivateKey(random: Uint8Array, sample: Uint8Array): Uint8Array {
  return firstInRange((counter) => hkdfSync('sha256', random, sample, `perigee.key.v2.${counter}`, 32))
}

/** The first candidate that is a private key: not zero, and below the group order. The others are overwritten. */
export function firstInRange(candidate: (counter: number) => ArrayBuffer): Uint8Array {
  for (let counter = 0; ; counter++) {
    const key = new Uint8Array(candidate(counter))
    if (isPrivate(key)) return key
    key.fill(0)
  }
}

/** The compressed public key (SEC 1, 2.3.3) and the address of a private key. */
export function publicKeyOf(privateKey: Uint8Array): { publicKey: Hex; address: Hex } {
  const point = pointFromScalar(privateKey, false)
  if (!point) throw new Error('not a private key')
  const address = toHex(keccak_256(point.subarray(1)).subarray(12))
  return { publicKey: toHex(pointCompress(point, true)), address }
}

/** 65 bytes: r, s in the lower half, v 27 or 28, which every parser accepts. The same digest gives the same bytes (RFC 6979). */
export function signHash(digest: Uint8Array, privateKey: Uint8Array): Hex {
  const { signature, recoveryId } = signRecoverable(digest, privateKey)
  return toHex(concatBytes(signature, Uint8Array.of(27 + recoveryId)))
}
