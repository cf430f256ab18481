import { sha512 } from '@noble/hashes/sha2'
import { canonicalJson, concatBytes, fromHex, toHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'

/** What a quote vouches for about every signature: the key, and the evidence around the request. */
export interface BoundBySigning {
  keyId: string
  /** Compressed, 33 bytes. */
  publicKey: Hex
  /** 32 bytes chosen by the caller, so an old answer cannot be replayed. */
  nonce: Hex
  /** SHA-256 of the coordinator's SNP report. */
  coordinatorReportHash: Hex
  /** SHA-256 of the canonical entropy sample. */
  entropyHash: Hex
  /** SHA-256 of the enclave's canonical signing policy. */
  policyHash: Hex
  /** SHA-256 of the canonical owners record, or zeros for a wallet without owners. */
  ownersHash: Hex
  /** SHA-256 of the receipt's canonical `authorisation`. */
  authorisationHash: Hex
  /** The enclave's clock. */
  signedAt: UnixSeconds
}

/** What a quote over a signed transaction vouches for. */
export interface SignBinding extends BoundBySigning {
  chainId: number
  digest: Hex
  signature: Hex
}

/** What a quote over a signed message vouches for. The content and the signature are only committed to. */
export interface SignMessageBinding extends BoundBySigning {
  scheme: 'eip191' | 'eip712'
  /** `requestHash` and `messageCommitment` of core/message. */
  requestHash: Hex
  commitment: Hex
}

/** What a key-creation quote vouches for. */
export interface CreateKeyBinding {
  keyId: string
  publicKey: Hex
  /** SHA-256 of the sealed key, so that a swapped blob is detected. */
  sealedKeyHash: Hex
  nonce: Hex
  coordinatorReportHash: Hex
  entropyHash: Hex
  ownersHash: Hex
  /** SHA-256 of the canonical authorisation: the statement, and the owners' approvals if there are any. */
  authorisationHash: Hex
  createdAt: UnixSeconds
}

/** What a quote over a change of owners vouches for. */
export interface ChangeOwnersBinding {
  keyId: string
  publicKey: Hex
  /** Owners before and after. */
  ownersHash: Hex
  nextOwnersHash: Hex
  /** SHA-256 of the key as it is sealed for the next owners. */
  sealedKeyHash: Hex
  nonce: Hex
  coordinatorReportHash: Hex
  authorisationHash: Hex
  changedAt: UnixSeconds
}

/** What a quote over a resealed key vouches for: the same key under another version of the sealing key. */
export interface ResealBinding {
  keyId: string
  publicKey: Hex
  /** SHA-256 of the sealed key before and after. */
  sealedKeyHash: Hex
  nextSealedKeyHash: Hex
  /** Under which it is sealed now. */
  sealingVersion: number
  /** The owners, who stay the same. */
  ownersHash: Hex
  nonce: Hex
  coordinatorReportHash: Hex
  authorisationHash: Hex
  resealedAt: UnixSeconds
}

/** UTF-8 bytes, as a field of a binding. */
export const text = (value: string): Uint8Array => new TextEncoder().encode(value)

/** Eight bytes, big-endian, as a field of a binding. */
export function uint(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new ServiceError('parse_failed', 'expected a non-negative integer')
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value))
  return bytes
}

/** `domain || 0x00 || (u32 big-endian length || bytes) for each field`: no two lists of fields share an encoding. */
export function encodeBinding(domain: string, fields: readonly Uint8Array[]): Uint8Array {
  const parts = [text(domain), Uint8Array.of(0)]
  for (const field of fields) {
    const length = new Uint8Array(4)
    new DataView(length.buffer).setUint32(0, field.length)
    parts.push(length, field)
  }
  return concatBytes(...parts)
}

/** The request and the evidence around a signature, whatever was signed. */
const aroundSignature = (b: BoundBySigning): Uint8Array[] => [
  fromHex(b.nonce, 32),
  fromHex(b.coordinatorReportHash, 32),
  fromHex(b.entropyHash, 32),
  fromHex(b.policyHash, 32),
  fromHex(b.ownersHash, 32),
  fromHex(b.authorisationHash, 32),
  uint(b.signedAt),
]

/** The exact bytes that are hashed into REPORTDATA for a signature. */
export function encodeSignBinding(b: SignBinding): Uint8Array {
  return encodeBinding('perigee.sign.v1', [
    uint(b.chainId),
    text(b.keyId),
    fromHex(b.publicKey, 33),
    fromHex(b.digest, 32),
    fromHex(b.signature, 65),
    ...aroundSignature(b),
  ])
}

/** The exact bytes that are hashed into REPORTDATA for a signed message. */
export function encodeSignMessageBinding(b: SignMessageBinding): Uint8Array {
  return encodeBinding('perigee.sign-message.v1', [
    text(b.scheme),
    text(b.keyId),
    fromHex(b.publicKey, 33),
    fromHex(b.requestHash, 32),
    fromHex(b.commitment, 32),
    ...aroundSignature(b),
  ])
}

/** The exact bytes that are hashed into REPORTDATA when a key is made. */
export function encodeCreateKeyBinding(b: CreateKeyBinding): Uint8Array {
  return encodeBinding('perigee.create-key.v1', [
    text(b.keyId),
    fromHex(b.publicKey, 33),
    fromHex(b.sealedKeyHash, 32),
    fromHex(b.nonce, 32),
    fromHex(b.coordinatorReportHash, 32),
    fromHex(b.entropyHash, 32),
    fromHex(b.ownersHash, 32),
    fromHex(b.authorisationHash, 32),
    uint(b.createdAt),
  ])
}

/** The exact bytes that are hashed into REPORTDATA when a key gets other owners. */
export function encodeChangeOwnersBinding(b: ChangeOwnersBinding): Uint8Array {
  return encodeBinding('perigee.change-owners.v1', [
    text(b.keyId),
    fromHex(b.publicKey, 33),
    fromHex(b.ownersHash, 32),
    fromHex(b.nextOwnersHash, 32),
    fromHex(b.sealedKeyHash, 32),
    fromHex(b.nonce, 32),
    fromHex(b.coordinatorReportHash, 32),
    fromHex(b.authorisationHash, 32),
    uint(b.changedAt),
  ])
}

/** The exact bytes that are hashed into REPORTDATA when a key is sealed under another version. */
export function encodeResealBinding(b: ResealBinding): Uint8Array {
  return encodeBinding('perigee.reseal-key.v1', [
    text(b.keyId),
    fromHex(b.publicKey, 33),
    fromHex(b.sealedKeyHash, 32),
    fromHex(b.nextSealedKeyHash, 32),
    uint(b.sealingVersion),
    fromHex(b.ownersHash, 32),
    fromHex(b.nonce, 32),
    fromHex(b.coordinatorReportHash, 32),
    fromHex(b.authorisationHash, 32),
    uint(b.resealedAt),
  ])
}

/** What the coordinator's SNP REPORT_DATA vouches for: its identity, until when, and that it is not older than the nonce. */
export interface CoordinatorBinding {
  /** `requestKey`: the P-256 key (compressed) that signs statements. It exists only in that process's memory. */
  identity: { service: string; requestKey: Hex; publishers: Hex[] }
  /** 32 bytes. */
  nonce: Hex
  /** The coordinator's own limit: nothing that it states is believed after this second by means of this report. */
  expiresAt: UnixSeconds
}

/** The exact bytes that are hashed into the coordinator's REPORT_DATA. */
export function encodeCoordinatorBinding(b: CoordinatorBinding): Uint8Array {
  return encodeBinding('perigee.coordinator.v1', [
    text(canonicalJson(b.identity)),
    fromHex(b.nonce, 32),
    uint(b.expiresAt),
  ])
}

/** SHA-512 of the encoding: the 64 bytes of TDX REPORTDATA. */
export function reportData(encoded: Uint8Array): Hex {
  return toHex(sha512(encoded))
}
