import { sha256 } from '@noble/hashes/sha2'
import { fromHex, toHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import type { EntropySample } from '../entropy/index.js'
import type { RuntimeEvent } from '../measurements/index.js'
import type { TxMetadata } from '../transaction/index.js'

/** Body of `POST /create-key` to the enclave. Plain JSON. */
export interface CreateKeyRequest {
  entropy: EntropySample
  /** 32 random bytes, new for every attempt: REPORTDATA includes it, so an old answer cannot be replayed. */
  nonce: Hex
  /** SHA-256 of the coordinator's SNP report. */
  coordinatorReportHash: Hex
}

/** What every answer of the enclave carries as evidence. */
export interface EnclaveEvidence {
  /** `dstack` or `simulated`: a label for people. Trust comes from the quote's root only. */
  platform: string
  quote: Hex
  /** Null when the platform measures nothing into RTMR3 at run time. */
  runtimeEvents: RuntimeEvent[] | null
}

export interface CreateKeyAnswer extends EnclaveEvidence {
  keyId: string
  /** Compressed, 33 bytes. */
  publicKey: Hex
  address: Hex
  /** Useless outside enclaves of the same application; safe to store and to keep in histories. */
  sealedKey: Hex
  createdAt: UnixSeconds
}

/** Body of `POST /sign-transaction` to the enclave. Plain JSON. */
export interface SignTransactionRequest {
  sealedKey: Hex
  keyId: string
  address: Hex
  transaction: TxMetadata
  digest: Hex
  entropy: EntropySample
  nonce: Hex
  coordinatorReportHash: Hex
}

export interface SignTransactionAnswer extends EnclaveEvidence {
  /** 65 bytes, low s, v 27 or 28. The same transaction always gives the same bytes (RFC 6979). */
  signature: Hex
  publicKey: Hex
  policyHash: Hex
  signedAt: UnixSeconds
}

/** Answer of `GET /info`: what is running. It is not evidence: only quotes are. */
export interface EnclaveInfo {
  platform: string
  bundleSha256: Hex | null
  policyHash: Hex
  simulated: boolean
}

/** A key's id is derived from its public key, so one key cannot take another's id. */
export function keyIdOf(publicKey: Hex): string {
  return `key_${toHex(sha256(fromHex(publicKey, 33))).slice(2, 42)}`
}
