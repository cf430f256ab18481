import type {
  OwnedSince,
  OwnersApproval,
  OwnersRecord,
  PasskeyApproval,
  SignedStatement,
} from '../authorisation/index.js'
import { fromHex, type Hex } from '../bytes/index.js'
import type { EntropySample } from '../entropy/index.js'
import type { Message } from '../message/index.js'
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

/** Body of `POST /create-key` to the enclave. */
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

/** Body of `POST /sign-transaction` to the enclave. */
export interface SignTransactionRequest extends Request, SealedKey {
  transaction: TxMetadata
  digest: Hex
  entropy: EntropySample
  /** Needed where the wallet has owners. */
  approval: PasskeyApproval | null
}

/** Body of `POST /sign-message` to the enclave. There is no digest: the enclave computes it from the content. */
export interface SignMessageRequest extends Request, SealedKey {
  message: Message
  /** 32 random bytes of the caller, which hide the message in its receipt. */
  salt: Hex
  entropy: EntropySample
  /** Needed where the wallet has owners. */
  approval: PasskeyApproval | null
}

/** Body of `POST /change-owners` to the enclave. */
export interface ChangeOwnersRequest extends Request, SealedKey {
  next: OwnersRecord
  approval: OwnersApproval
}

/** Body of `POST /reseal-key` to the enclave. */
export interface ResealKeyRequest extends Request, SealedKey {}

/** Which version of the sealing key a sealed key needs; see enclave/keys/sealing.ts for the form. */
export function sealingVersionOf(sealedKey: Hex): number {
  return fromHex(sealedKey)[1] ?? 0
}
