import { sha512 } from '@noble/hashes/sha2'
import { canonicalJson, concatBytes, fromHex, toHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'

/** What a signing quote vouches for: the request, its result, and the evidence around it. */
export interface SignBinding {
  chainId: number
  keyId: string
  /** Compressed, 33 bytes. */
  publicKey: Hex
  digest: Hex
  signature: Hex
  /** 32 bytes chosen by the caller, so an old answer cannot be replayed. */
  nonce: Hex
  /** SHA-256 of the coordinator's SNP report. */
  coordinatorReportHash: Hex
  /** SHA-256 of the canonical entropy sample. */
  entropyHash: Hex
  /** SHA-256 of the enclave's canonical signing policy. */
  policyHash: Hex
  /** The enclave's clock. */
  signedAt: UnixSeconds
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
  createdAt: UnixSeconds
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value)

function uint(value: number): Uint8Array {
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

/** The exact bytes that are hashed into REPORTDATA for a signature. */
export function encodeSignBinding(b: SignBinding): Uint8Array {
  return encodeBinding('perigee.sign.v1', [
    uint(b.chainId),
    text(b.keyId),
    fromHex(b.publicKey, 33),
    fromHex(b.digest, 32),
    fromHex(b.signature, 65),
    fromHex(b.nonce, 32),
    fromHex(b.coordinatorReportHash, 32),
    fromHex(b.entropyHash, 32),
    fromHex(b.policyHash, 32),
    uint(b.signedAt),
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
    uint(b.createdAt),
  ])
}

/** What the coordinator's SNP REPORT_DATA vouches for: its identity, and that the report is not older than the nonce. */
export interface CoordinatorBinding {
  identity: { service: string; channelKeySha256: Hex; publishers: Hex[] }
  /** 32 bytes. */
  nonce: Hex
}

/** The exact bytes that are hashed into the coordinator's REPORT_DATA. */
export function encodeCoordinatorBinding(b: CoordinatorBinding): Uint8Array {
  return encodeBinding('perigee.coordinator.v1', [text(canonicalJson(b.identity)), fromHex(b.nonce, 32)])
}

/** SHA-512 of the encoding: the 64 bytes of TDX REPORTDATA. */
export function reportData(encoded: Uint8Array): Hex {
  return toHex(sha512(encoded))
}
