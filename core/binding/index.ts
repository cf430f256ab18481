import { sha512 } from '@noble/hashes/sha2'
import { canonicalJson, concatBytes, fromHex, toHex, type Hex } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'

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

/** The fields of a binding in the order of its bytes, each with what makes its bytes. */
type Layout = Record<string, (value: never) => Uint8Array>
/** What is bound by a layout. */
type Bound<L extends Layout> = { [Name in keyof L]: Parameters<L[Name]>[0] }

/** Makes the exact bytes that are hashed into REPORTDATA. Members that the layout does not have are not bound. */
function encoderOf<L extends Layout>(domain: string, layout: L) {
  const fields = Object.entries(layout) as [keyof L, (value: unknown) => Uint8Array][]
  return (bound: Bound<L>): Uint8Array =>
    encodeBinding(
      domain,
      fields.map(([name, encode]) => encode(bound[name])),
    )
}

const bytes = (length: number) => (value: Hex) => fromHex(value, length)
const hash = bytes(32)

const keyFields = {
  keyId: text,
  /** Compressed. */
  publicKey: bytes(33),
}
const requestFields = {
  /** Chosen by the caller, so an old answer cannot be replayed. */
  nonce: hash,
  /** SHA-256 of the coordinator's SNP report. */
  coordinatorReportHash: hash,
}

/** The request and the evidence around a signature, whatever was signed. */
const aroundSignature = {
  ...requestFields,
  /** SHA-256 of the canonical entropy sample. */
  entropyHash: hash,
  /** SHA-256 of the enclave's canonical signing policy. */
  policyHash: hash,
  /** SHA-256 of the canonical owners record, or zeros for a wallet without owners. */
  ownersHash: hash,
  /** SHA-256 of the receipt's canonical `authorisation`. */
  authorisationHash: hash,
  /** The enclave's clock. */
  signedAt: uint,
}

/** What a quote vouches for about every signature: the key, and the evidence around the request. */
export type BoundBySigning = Bound<typeof keyFields & typeof aroundSignature>

/** The exact bytes hashed into REPORTDATA for a signed transaction. */
export const encodeSignBinding = encoderOf('perigee.sign.v1', {
  chainId: uint,
  ...keyFields,
  digest: hash,
  signature: bytes(65),
  ...aroundSignature,
})

/** The same for a signed message. The content and the signature are only committed to. */
export const encodeSignMessageBinding = encoderOf('perigee.sign-message.v1', {
  scheme: (scheme: 'eip191' | 'eip712') => text(scheme),
  ...keyFields,
  /** `requestHash` and `messageCommitment` of core/message. */
  requestHash: hash,
  commitment: hash,
  ...aroundSignature,
})

/** The same for a new key. */
export const encodeCreateKeyBinding = encoderOf('perigee.create-key.v1', {
  ...keyFields,
  /** SHA-256 of the sealed key, so that a swapped blob is detected. */
  sealedKeyHash: hash,
  ...requestFields,
  entropyHash: hash,
  ownersHash: hash,
  /** SHA-256 of the canonical authorisation: the statement, and the owners' approvals if there are any. */
  authorisationHash: hash,
  createdAt: uint,
})

/** The same for a change of owners. */
export const encodeChangeOwnersBinding = encoderOf('perigee.change-owners.v1', {
  ...keyFields,
  /** Owners before and after. */
  ownersHash: hash,
  nextOwnersHash: hash,
  /** SHA-256 of the key as it is sealed for the next owners. */
  sealedKeyHash: hash,
  ...requestFields,
  authorisationHash: hash,
  changedAt: uint,
})

/** The same for a resealed key: the same key under another version of the sealing key. */
export const encodeResealBinding = encoderOf('perigee.reseal-key.v1', {
  ...keyFields,
  /** SHA-256 of the sealed key before and after. */
  sealedKeyHash: hash,
  nextSealedKeyHash: hash,
  /** Under which it is sealed now. */
  sealingVersion: uint,
  /** The owners, who stay the same. */
  ownersHash: hash,
  ...requestFields,
  authorisationHash: hash,
  resealedAt: uint,
})

/** The exact bytes hashed into the coordinator's SNP REPORT_DATA: its identity, until when, and that it is not older than the nonce. */
export const encodeCoordinatorBinding = encoderOf('perigee.coordinator.v1', {
  /** `requestKey`: the P-256 key (compressed) that signs statements. It exists only in that process's memory. */
  identity: (identity: { service: string; requestKey: Hex; publishers: Hex[] }) => text(canonicalJson(identity)),
  nonce: hash,
  /** The coordinator's own limit: nothing that it states is believed after this second by means of this report. */
  expiresAt: uint,
})

/** SHA-512 of the encoding: the 64 bytes of TDX REPORTDATA. */
export function reportData(encoded: Uint8Array): Hex {
  return toHex(sha512(encoded))
}
