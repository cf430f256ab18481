import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519'
import { p256 } from '@noble/curves/p256'
import { toHex } from '@perigee/core'
import { isSignedBy, spkiOf, type EntropyKey } from '@perigee/core/entropy'
import { sha256 } from '@noble/hashes/sha2'
import { expect, test } from 'vitest'
import { isSignedNatively } from './admission.js'

const base = { source: 's', signedBytes: 'value', shows: 'simulated', validFrom: 0, validTo: null } as const
const curves = {
  ed25519: { key: ed25519.getPublicKey, sign: (m: Uint8Array, k: Uint8Array) => ed25519.sign(m, k) },
  'ecdsa-p256-sha256': {
    key: (k: Uint8Array) => p256.getPublicKey(k, false),
    sign: (m: Uint8Array, k: Uint8Array) => p256.sign(sha256(m), k, { lowS: false }).toCompactRawBytes(),
  },
}

test.each(['ed25519', 'ecdsa-p256-sha256'] as const)('agrees with the portable check on %s', (algorithm) => {
  for (let round = 0; round < 8; round++) {
    const privateKey = randomBytes(32)
    const message = randomBytes(48)
    const raw = curves[algorithm].key(privateKey)
    const publicKey = toHex(round % 2 ? raw : spkiOf(algorithm, raw))
    const key: EntropyKey = { ...base, algorithm, publicKey }
    const signature = curves[algorithm].sign(message, privateKey)
    const flipped = Uint8Array.from(signature, (byte, i) => (i === round * 8 ? byte ^ 1 : byte))
    const cases = [signature, flipped, signature.subarray(1), new Uint8Array(64), new Uint8Array(64).fill(255)]
    const verdicts = cases.map((each) => isSignedNatively(key, message, each))
    expect(verdicts).toEqual([true, false, false, false, false])
    expect(cases.map((each) => isSignedBy(key, message, each))).toEqual(verdicts)
    expect(isSignedNatively(key, randomBytes(48), signature)).toBe(false)
  }
})
