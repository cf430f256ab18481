import { randomBytes } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1'
import { concatBytes, fromHex, toHex } from '@perigee/core'
import { addressOfPublicKey } from '@perigee/core/receipt'
import { describe, expect, test } from 'vitest'
import { derivePrivateKey, firstInRange, publicKeyOf, signHash } from './secp256k1.js'

const order = secp256k1.CURVE.n
const bytesOf = (value: bigint) => fromHex(`0x${value.toString(16).padStart(64, '0')}`)

describe('signatures', () => {
  const noble = (digest: Uint8Array, key: Uint8Array) => {
    const signature = secp256k1.sign(digest, key, { lowS: true, extraEntropy: false })
    return toHex(concatBytes(signature.toCompactRawBytes(), Uint8Array.of(27 + signature.recovery)))
  }

  test('are those of @noble/curves (RFC 6979) on 1,000 keys and digests, with low s and the right v', () => {
    const seen = new Set<number>()
    for (let turn = 0; turn < 1000; turn++) {
      const [key, digest] = [derivePrivateKey(randomBytes(32), randomBytes(32)), randomBytes(32)]
      const signature = signHash(digest, key)
      expect(signature).toBe(noble(digest, key))
      const bytes = fromHex(signature, 65)
      const parsed = secp256k1.Signature.fromCompact(bytes.subarray(0, 64)).addRecoveryBit((bytes[64] as number) - 27)
      expect(parsed.hasHighS()).toBe(false)
      if (turn % 20 === 0)
        expect(toHex(parsed.recoverPublicKey(digest).toRawBytes(true))).toBe(publicKeyOf(key).publicKey)
      seen.add(bytes[64] as number)
    }
    expect([...seen].sort()).toEqual([27, 28])
  })

  test('are those of @noble/curves at the ends of the range', () => {
    for (const key of [1n, 2n, order - 1n, order >> 1n]) {
      for (const digest of [0n, 1n, order - 1n]) {
        expect(signHash(bytesOf(digest), bytesOf(key))).toBe(noble(bytesOf(digest), bytesOf(key)))
      }
    }
  })

  test('are the published ones (RFC 6979 on secp256k1, Bitcoin’s vectors)', () => {
    // Key 1 and SHA-256 of "Satoshi Nakamoto".
    const digest = fromHex('0xa0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e')
    expect(signHash(digest, bytesOf(1n))).toMatch(
      /^0x934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d82442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5/,
    )
  })

  test('are not made with what is no key', () => {
    for (const key of [bytesOf(0n), bytesOf(order), new Uint8Array(31)]) {
      expect(() => signHash(randomBytes(32), key)).toThrow()
      expect(() => publicKeyOf(key)).toThrow()
    }
  })
})

describe('keys', () => {
  test('have the public key and address that others derive', () => {
    for (let turn = 0; turn < 100; turn++) {
      const key = derivePrivateKey(randomBytes(32), randomBytes(32))
      const { publicKey, address } = publicKeyOf(key)
      expect(publicKey).toBe(toHex(secp256k1.getPublicKey(key, true)))
      expect(address).toBe(addressOfPublicKey(publicKey))
    }
  })

  test('depend on the randomness and on the sample, and on nothing else', () => {
    const [random, sample] = [randomBytes(32), randomBytes(32)]
    const key = toHex(derivePrivateKey(random, sample))
    expect(toHex(derivePrivateKey(random, sample))).toBe(key)
    expect(toHex(derivePrivateKey(randomBytes(32), sample))).not.toBe(key)
    expect(toHex(derivePrivateKey(random, randomBytes(32)))).not.toBe(key)
  })

  test('are never zero or beyond the order: such candidates are skipped and overwritten', () => {
    const candidates = [0n, order, order + 1n, 7n].map(bytesOf)
    expect(firstInRange((counter) => candidates[counter]!.buffer as ArrayBuffer)).toEqual(bytesOf(7n))
    expect(candidates.slice(0, 3).every((candidate) => candidate.every((byte) => byte === 0))).toBe(true)
  })
})
