import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { fromHex, ServiceError, toHex, type Hex } from '@perigee/core'

/** What names a signed message, and the salt that its caller keeps. The salt is not stored. */
export interface SealedFor {
  walletId: string
  requestHash: Hex
  salt: Hex
}

const nonceLength = 12
const tagLength = 16

/**
 * Encrypts the signature of a message under a key that only the salt gives (HKDF-SHA256, AES-256-GCM), because the
 * signature of a permit is a credential. Callers that repeat a request bring the salt again.
 */
export function sealSignature(signature: Hex, owner: SealedFor): Hex {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', keyOf(owner), nonce)
  const sealed = [nonce, cipher.update(fromHex(signature, 65)), cipher.final(), cipher.getAuthTag()]
  return toHex(Buffer.concat(sealed))
}

/** Throws `internal_error` when the row was changed, or belongs to another message. */
export function openSignature(sealed: Hex, owner: SealedFor): Hex {
  const bytes = fromHex(sealed)
  const end = bytes.length - tagLength
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(owner), bytes.subarray(0, nonceLength), {
      authTagLength: tagLength,
    })
    decipher.setAuthTag(bytes.subarray(end))
    return toHex(Buffer.concat([decipher.update(bytes.subarray(nonceLength, end)), decipher.final()]))
  } catch (error) {
    throw new ServiceError('internal_error', 'the record of a signed message does not open', {}, error)
  }
}

function keyOf({ walletId, requestHash, salt }: SealedFor): Uint8Array {
  const info = `perigee.message-signature.v1/${walletId}/${requestHash}`
  return new Uint8Array(hkdfSync('sha256', fromHex(salt, 32), new Uint8Array(), info, 32))
}
