import type {
  OwnedSince,
  OwnersApproval,
  OwnersRecord,
  PasskeyApproval,
  SignedStatement,
} from '../authorisation/index.js'
import { fromHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import type { EntropySample } from '../entropy/index.js'
import type { Message } from '../message/index.js'
import type { RuntimeEvent } from '../measurements/index.js'
import type { SigningPolicy } from '../policy/index.js'
import type { CoordinatorPart } from '../receipt/AnyReceipt.js'
import type { TxMetadata } from '../transaction/index.js'

/** The coordinator's SNP report with what is needed to verify it. The enclave has the roots and the release list. */
export type CoordinatorEvidence = Pick<
  CoordinatorPart,
  'report' | 'vek' | 'intermediate' | 'identity' | 'nonce' | 'expiresAt'
>

/** What every request to make or use a key carries: who asks, and for what. */
interface Request {
  /** 32 random bytes, new for every attempt: REPORTDATA includes it, so an old answer cannot be replayed. */
  nonce: Hex
  coordinator: CoordinatorEvidence
  statement: SignedStatement
}

/** Body of `POST /create-key` to the enclave. Plain JSON. */
export interface CreateKeyRequest extends Request {
  entropy: EntropySample
  /** Who will own the key: null for a wallet that needs no passkey. Every passkey of the record must have approved it. */
  owners: OwnersRecord | null
  approval: OwnersApproval | null
}

/** A sealed key with all that its seal is bound to, apart from the subject, which the statement names. */
export interface SealedKey {
  sealedKey: Hex
  keyId: string
  address: Hex
  owners: OwnersRecord | null
  since: OwnedSince | null
}

/** What every answer of the enclave carries as evidence. */
export interface EnclaveEvidence {
  /** `dstack` or `simulated`: a label for people. Trust comes from the quote's root only. */
  platform: string
  quote: Hex
  /** What was measured into RTMR3 since the machine started: replaying it gives the quoted register. */
  runtimeEvents: RuntimeEvent[]
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
export interface SignTransactionRequest extends Request, SealedKey {
  transaction: TxMetadata
  digest: Hex
  entropy: EntropySample
  /** Needed where the wallet has owners. */
  approval: PasskeyApproval | null
}

export interface SignTransactionAnswer extends EnclaveEvidence {
  /** 65 bytes, low s, v 27 or 28. The same transaction always gives the same bytes (RFC 6979). */
  signature: Hex
  publicKey: Hex
  /** What the enclave signs: the quote binds its hash. */
  policy: SigningPolicy
  signedAt: UnixSeconds
}

/** Body of `POST /sign-message` to the enclave. Plain JSON. There is no digest: the enclave computes it from the content. */
export interface SignMessageRequest extends Request, SealedKey {
  message: Message
  /** 32 random bytes of the caller, which hide the message in its receipt. */
  salt: Hex
  entropy: EntropySample
  /** Needed where the wallet has owners. */
  approval: PasskeyApproval | null
}

/** The same message always gives the same signature. */
export type SignMessageAnswer = SignTransactionAnswer

/** Body of `POST /change-owners` to the enclave. Plain JSON. */
export interface ChangeOwnersRequest extends Request, SealedKey {
  next: OwnersRecord
  approval: OwnersApproval
}

export interface ChangeOwnersAnswer extends EnclaveEvidence {
  publicKey: Hex
  /** The same key, sealed for the next owners. */
  sealedKey: Hex
  changedAt: UnixSeconds
}

/** Body of `POST /reseal-key` to the enclave. Plain JSON. */
export interface ResealKeyRequest extends Request, SealedKey {}

export interface ResealKeyAnswer extends EnclaveEvidence {
  publicKey: Hex
  /** The same key for the same owners, sealed under the enclave's current version. */
  sealedKey: Hex
  sealingVersion: number
  resealedAt: UnixSeconds
}

/** Answer of `GET /info`: what is running. It is not evidence: only quotes are. */
export interface EnclaveInfo {
  platform: string
  bundleSha256: Hex | null
  policyHash: Hex
  simulated: boolean
  /** Of the sealing key under which new keys are sealed. */
  sealingVersion: number
}

/** Which version of the sealing key a sealed key needs; see enclave/keys/sealing.ts for the form. */
export function sealingVersionOf(sealedKey: Hex): number {
  return fromHex(sealedKey)[1] ?? 0
}
