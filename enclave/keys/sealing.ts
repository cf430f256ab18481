import { createCipheriv, createDecipheriv, createHash, randomBytes, type KeyObject } from 'node:crypto'
import { concatBytes, fromHex, ServiceError, toHex, type Hex } from '@perigee/core'
import type { OwnedSince } from '@perigee/core/authorisation'
import { encodeBinding, text } from '@perigee/core/binding'

// A sealed key: format (1) | version of the sealing key (1) | iv (12) | ciphertext of private key (32) and compressed
// public key (33) | tag (16). The public key is inside so that signing does not derive it again; the tag protects the pair.
const format = 1
const headLength = 2
const ivLength = 12
const secretLength = 32 + 33
const sealedLength = headLength + ivLength + secretLength + 16

/** The platform's sealing keys: AES-256, the same for every enclave of this application, unknown outside. */
export interface SealingKeys {
  /** The version under which keys are sealed from now on. */
  current: number
  /** Every version that opens. Held outside the JS heap. */
  byVersion: ReadonlyMap<number, KeyObject>
}

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

function associatedData({ keyId, address, subject, ownersHash, since }: KeyName, version: number): Uint8Array {
  return encodeBinding('perigee.sealed-key', [
    Uint8Array.of(format, version),
    text(keyId),
    fromHex(address, 20),
    fromHex(subject, 32),
    fromHex(ownersHash, 32),
    text(since ?? ''),
  ])
}

/** Encrypts a private key under the current version. Random IVs are safe for 2^32 keys (NIST SP 800-38D, 8.3). */
export function sealKey(keys: SealingKeys, name: KeyName, privateKey: Uint8Array, publicKey: Hex): Hex {
  const version = keys.current
  const iv = randomBytes(ivLength)
  const secret = concatBytes(privateKey, fromHex(publicKey, 33))
  const cipher = createCipheriv('aes-256-gcm', keyOf(keys, version), iv).setAAD(associatedData(name, version))
  const sealed = concatBytes(
    Uint8Array.of(format, version),
    iv,
    cipher.update(secret),
    cipher.final(),
    cipher.getAuthTag(),
  )
  secret.fill(0)
  return toHex(sealed)
}

function keyOf({ byVersion }: SealingKeys, version: number): KeyObject {
  const key = byVersion.get(version)
  if (key) return key
  const versions = [...byVersion.keys()].join(', ')
  throw new ServiceError('sealed_key_invalid', 'the key is sealed under a version that this enclave does not open: retired, or not known yet', { version, versions }) // prettier-ignore
}

/** Opens a sealed key. Throws `sealed_key_invalid` for a blob that this platform did not seal under exactly this name. */
export function openKey(keys: SealingKeys, name: KeyName, sealedKey: Hex) {
  const sealed = fromHex(sealedKey)
  const [form, version] = sealed
  if (sealed.length !== sealedLength || form !== format || version === undefined) {
    throw new ServiceError('sealed_key_invalid', 'not a sealed key of a form that this enclave knows')
  }
  const body = sealed.subarray(headLength + ivLength)
  const iv = sealed.subarray(headLength, headLength + ivLength)
  const decipher = createDecipheriv('aes-256-gcm', keyOf(keys, version), iv, { authTagLength: 16 })
  decipher.setAAD(associatedData(name, version)).setAuthTag(body.subarray(secretLength))
  const secret = decipher.update(body.subarray(0, secretLength))
  try {
    decipher.final()
  } catch (cause) {
    secret.fill(0)
    const message = 'the sealed key does not open under this name on this platform'
    throw new ServiceError('sealed_key_invalid', message, {}, cause)
  }
  return {
    privateKey: secret.subarray(0, 32),
    publicKey: toHex(secret.subarray(32)),
    /** Overwrites the private key. Copies that the engine made are out of JavaScript's reach. */
    wipe: () => secret.fill(0),
  }
}

/** Seals a key for its next name, under the current version. */
export function resealKey(keys: SealingKeys, sealedKey: Hex, name: KeyName, nextName: KeyName) {
  const key = openKey(keys, name, sealedKey)
  try {
    const { publicKey } = key
    return { publicKey, sealedKey: sealKey(keys, nextName, key.privateKey, publicKey) }
  } finally {
    key.wipe()
  }
}

/** What quotes bind of a sealed key. */
export function sealedKeyHash(sealedKey: Hex): Hex {
  return toHex(createHash('sha256').update(fromHex(sealedKey)).digest())
}
