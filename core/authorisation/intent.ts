import { sha256 } from '@noble/hashes/sha2'
import { encodeBinding, text, uint } from '../binding/index.js'
import { fromHex, toHex, type Hex, type UnixSeconds } from '../bytes/index.js'

/** What an owner agrees to. Its hash is the passkey's challenge, so no challenge of a server is needed. */
export interface Intent {
  kind: 'transaction' | 'message' | 'typed-data' | 'owners'
  /** Zeros while there is no key yet. */
  address: Hex
  /** The owners before; zeros for none. */
  ownersHash: Hex
  /** 0 where it is no transaction. */
  chainId: number
  /** Digest of the unsigned transaction, `requestHash` of a message, or the hash of the next owners record. */
  digest: Hex
  validUntil: UnixSeconds
  /** 16 random bytes. */
  salt: Hex
}

export function encodeIntent(intent: Intent): Uint8Array {
  return encodeBinding('perigee.intent.v1', [
    text(intent.kind),
    fromHex(intent.address, 20),
    fromHex(intent.ownersHash, 32),
    uint(intent.chainId),
    fromHex(intent.digest, 32),
    uint(intent.validUntil),
    fromHex(intent.salt, 16),
  ])
}

/** 32 bytes: what the passkey, or the recovery key, signs. */
export function intentChallenge(intent: Intent): Hex {
  return toHex(sha256(encodeIntent(intent)))
}
