import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto'
import { concatBytes, fromHex, ServiceError, toHex, type Hex } from '@perigee/core'
import type { OwnedSince } from '@perigee/core/authorisation'
import { encodeBinding, text } from '@perigee/core/binding'

// A sealed key: version (1) | iv (12) | ciphertext of private key (32) and compressed public key (33) | tag (16).
// The public key is inside so that signing does not derive it again; the tag protects the pair.
const version = 1
const ivLength = 12
const secretLength = 32 + 33
const sealedLength = 1 + ivLength + secretLength + 16

/** All that a sealed key is bound to: it opens under exactly this, so none of it can be exchanged in the database. */
export interface KeyName {
  keyId: string
  address: Hex
  /** Whose key it is: the commitment that statements name. */
  subject: Hex
  /** Of the owners record; zeros for none. */
  ownersHash: Hex
  since: OwnedSince | null
}

export interface OpenKey {
  privateKey: Uint8Array
  publicKey: Hex
  /** Overwrites the private key. Copies that the engine made are out of JavaScript's reach. */
  wipe(): void
}

function associatedData({ keyId, address, subject, ownersHash, since }: KeyName): Uint8Array {
  return encodeBinding('perigee.sealed-key', [
    Uint8Array.of(version),
    text(keyId),
    fromHex(address, 20),
    fromHex(subject, 32),
    fromHex(ownersHash, 32),
    text(since ?? ''),
  ])
}

/** Encrypts a private key under the platform's key. Random IVs are safe for 2^32 keys (NIST SP 800-38D, 8.3). */
export function sealKey(sealingKey: KeyObject, name: KeyName, privateKey: Uint8Array, publicKey: Hex): Hex {
  const iv = randomBytes(ivLength)
  const secret = concatBytes(privateKey, fromHex(publicKey, 33))
  const cipher = createCipheriv('aes-256-gcm', sealingKey, iv).setAAD(associatedData(name))
  const sealed = concatBytes(Uint8Array.of(version), iv, cipher.update(secret), cipher.final(), cipher.getAuthTag())
  secret.fill(0)
  return toHex(sealed)
}

/** Opens a sealed key. Throws `sealed_key_invalid` for a blob that this platform did not seal under exactly this name. */
export function openKey(sealingKey: KeyObject, name: KeyName, sealedKey: Hex): OpenKey {
  const sealed = fromHex(sealedKey)
  if (sealed.length !== sealedLength || sealed[0] !== version) {
    throw new ServiceError('sealed_key_invalid', 'not a sealed key of a version this enclave knows')
  }
  const body = sealed.subarray(1 + ivLength)
  const decipher = createDecipheriv('aes-256-gcm', sealingKey, sealed.subarray(1, 1 + ivLength), { authTagLength: 16 })
  decipher.setAAD(associatedData(name)).setAuthTag(body.subarray(secretLength))
  const secret = decipher.update(body.subarray(0, secretLength))
  try {
    decipher.final()
  } catch (cause) {
    secret.fill(0)
    throw new ServiceError(
      'sealed_key_invalid',
      'the sealed key does not open under this name on this platform',
      {},
      cause,
    )
  }
  return { privateKey: secret.subarray(0, 32), publicKey: toHex(secret.subarray(32)), wipe: () => secret.fill(0) }
}
