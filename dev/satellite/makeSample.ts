import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { toHex } from '@perigee/core'
import { satelliteSignedBytes } from '@perigee/core/entropy'
import { identityOf, type SatelliteIdentity } from './identity.js'
import type { Lie } from './behaviour.js'

/** One answer as it goes over the wire. */
export type WireSample = ReturnType<typeof makeSample>

/** A new random value, truly signed: domain, value, time and sequence. With `lie`, wrong in exactly that one way. */
export function makeSample(identity: SatelliteIdentity, next: () => bigint, nowMs: number, lie?: Lie) {
  const { algorithm, keyId } = identity
  const value = toHex(randomBytes(32))
  const producedAt = Math.floor(nowMs / 1000) - (lie === 'time' ? 3600 : 0)
  const counted = next()
  const sequence = (lie === 'sequence' ? (counted > 500n ? counted - 500n : 0n) : counted).toString()
  const signer = lie === 'key' ? identityOf(generateKeyPairSync('ed25519').privateKey) : identity
  const signed = signer.sign(satelliteSignedBytes(value, producedAt, sequence))
  return {
    value: lie === 'value' ? toHex(randomBytes(32)) : value,
    producedAt,
    sequence,
    signature: { algorithm, keyId, value: toHex(lie === 'signature' ? randomBytes(64) : signed) },
  }
}
