import { sha256 } from '@noble/hashes/sha2'
import { fromHex, ServiceError, toHex, withCode, type Hex } from '@perigee/core'
import { hashOf, ownersHash } from '@perigee/core/authorisation'
import { encodeChangeOwnersBinding, encodeCreateKeyBinding, encodeResealBinding } from '@perigee/core/binding'
import { keyIdOf, sealingVersionOf } from '@perigee/core/enclave'
import { entropyWitnessHash } from '@perigee/core/entropy'
import type { QuoteToVerify } from './EvidenceVerifier.js'
import { addressOfKey } from './secp256k1.js'

type QuotedKey<Kind extends string> = Extract<QuoteToVerify, { kind: Kind }>

/* What a quote's REPORTDATA must bind to be about exactly this request and this answer. */

export function boundByCreateKey({ request, answer }: QuotedKey<'create'>): Uint8Array {
  const { entropy, nonce, coordinator, statement, owners, approval } = request
  return encodeCreateKeyBinding({
    keyId: answer.keyId,
    publicKey: answer.publicKey,
    sealedKeyHash: hashOfBytes(answer.sealedKey),
    nonce,
    coordinatorReportHash: hashOfBytes(coordinator.report),
    entropyHash: entropyWitnessHash(entropy),
    ownersHash: ownersHash(owners),
    authorisationHash: hashOf({ statement, approval }),
    createdAt: answer.createdAt,
  })
}

export function boundByChangeOwners({ request, answer }: QuotedKey<'owners'>): Uint8Array {
  const { keyId, nonce, coordinator, statement, owners, next, approval } = request
  return encodeChangeOwnersBinding({
    keyId,
    publicKey: answer.publicKey,
    ownersHash: ownersHash(owners),
    nextOwnersHash: ownersHash(next),
    sealedKeyHash: hashOfBytes(answer.sealedKey),
    nonce,
    coordinatorReportHash: hashOfBytes(coordinator.report),
    authorisationHash: hashOf({ statement, approval }),
    changedAt: answer.changedAt,
  })
}

export function boundByReseal({ request, answer }: QuotedKey<'reseal'>): Uint8Array {
  const { keyId, sealedKey, nonce, coordinator, statement, owners } = request
  if (sealingVersionOf(answer.sealedKey) !== answer.sealingVersion) {
    throw new ServiceError('binding_mismatch', 'the key is sealed under another version than the enclave says')
  }
  return encodeResealBinding({
    keyId,
    publicKey: answer.publicKey,
    sealedKeyHash: hashOfBytes(sealedKey),
    nextSealedKeyHash: hashOfBytes(answer.sealedKey),
    sealingVersion: answer.sealingVersion,
    ownersHash: ownersHash(owners),
    nonce,
    coordinatorReportHash: hashOfBytes(coordinator.report),
    authorisationHash: hashOf({ statement }),
    resealedAt: answer.resealedAt,
  })
}

export const hashOfBytes = (bytes: Hex): Hex => toHex(sha256(fromHex(bytes)))

/** The quote binds the public key; key id and address must follow from it. */
export function checkKeyName(keyId: string, publicKey: Hex, address: Hex): void {
  const derived = withCode('public_key_mismatch', 'not a compressed secp256k1 public key', () =>
    addressOfKey(publicKey),
  )
  if (keyIdOf(publicKey) !== keyId || derived.toLowerCase() !== address.toLowerCase()) {
    throw new ServiceError('binding_mismatch', 'key id or address is not that of the public key', { keyId, address })
  }
}
