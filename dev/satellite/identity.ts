import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toHex } from '@perigee/core'
import type { EntropyKey } from '@perigee/core/entropy'

/** The stand-in's signing key. The private half stays in its folder. */
export type SatelliteIdentity = ReturnType<typeof identityOf>

/** Opens the key in `dir`, making it the first time. Two processes may race: the first file wins, both then use it. */
export function openIdentity(dir: string): SatelliteIdentity {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const file = join(dir, 'satellite-key.pem')
  try {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
    writeFileSync(file, pem, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return identityOf(createPrivateKey(readFileSync(file)))
}

/** An identity over any Ed25519 private key. */
export function identityOf(privateKey: KeyObject) {
  const raw = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).subarray(-32)
  return {
    keyId: `dev-satellite-${createHash('sha256').update(raw).digest('hex').slice(0, 16)}`,
    algorithm: 'ed25519' as const,
    publicKey: toHex(raw),
    sign: (message: Uint8Array): Uint8Array => sign(null, message, privateKey),
  }
}

/** The registry entry that pins this identity, as a development key. `JSON.stringify` of it is `SATELLITE_PUBLIC_KEYS`. */
export function pinOf({ keyId, algorithm, publicKey }: SatelliteIdentity): Record<string, EntropyKey> {
  const meaning = { signedBytes: 'perigee-satellite/1', shows: 'simulated', validFrom: 0, validTo: null } as const
  return { [keyId]: { source: 'simulated-satellite', algorithm, publicKey, ...meaning } }
}
