import { z } from 'zod'
import {
  ownersApprovalSchema,
  ownersSchema,
  passkeyApprovalSchema,
  statementSchema,
  type OwnedSince,
  type OwnersApproval,
  type OwnersRecord,
  type PasskeyApproval,
  type SignedStatement,
} from '../authorisation/index.js'
import { hexOf, hexUpTo } from '../bytes/hexSchema.js'
import { fromHex, type Hex } from '../bytes/index.js'
import type { EntropySample } from '../entropy/index.js'
import { parseSchema } from '../errors/index.js'
import type { Message } from '../message/index.js'
import type { CoordinatorPart } from '../receipt/AnyReceipt.js'
import { coordinatorIdentity } from '../receipt/schema/coordinatorIdentity.js'
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

/** The sample, the transaction and the message have their own parsers, with their own codes. */
const object = z.record(z.string(), z.unknown())

const hexUpToBytes = (bytes: number) => hexUpTo(bytes).min(4)

const request = z.strictObject({
  nonce: hexOf(32),
  coordinator: z.strictObject({
    report: hexOf(1184),
    vek: hexUpToBytes(4096),
    intermediate: hexUpToBytes(4096),
    identity: coordinatorIdentity,
    nonce: hexOf(32),
    expiresAt: z.int().nonnegative(),
  }),
  statement: statementSchema,
})
const keyRequest = request.extend({
  sealedKey: hexUpToBytes(512),
  keyId: z.string().regex(/^key_[0-9a-f]{40}$/, 'a key id'),
  address: hexOf(20),
  owners: ownersSchema.nullable(),
  since: z.enum(['creation', 'upgrade']).nullable(),
})
const signing = { entropy: object, approval: passkeyApprovalSchema.nullable() }

/** A request whose sample, transaction and message are not parsed yet: the code that checks them does that next. */
export type Unchecked<T> = {
  [Key in keyof T]: Key extends 'entropy' | 'transaction' | 'message' ? Record<string, unknown> : T[Key]
}

// Each takes anything; returns the outer shape of a request or throws `invalid_request` naming every wrong field.
const parserOf =
  <T>(schema: z.ZodType<Unchecked<T>>) =>
  (input: unknown): Unchecked<T> =>
    parseSchema(schema, input, 'invalid_request', 'body')

export const parseCreateKeyRequest = parserOf<CreateKeyRequest>(
  request.extend({ entropy: object, owners: ownersSchema.nullable(), approval: ownersApprovalSchema.nullable() }),
)
export const parseSignTransactionRequest = parserOf<SignTransactionRequest>(
  keyRequest.extend({ ...signing, transaction: object, digest: hexOf(32) }),
)
export const parseSignMessageRequest = parserOf<SignMessageRequest>(
  keyRequest.extend({ ...signing, message: object, salt: hexOf(32) }),
)
export const parseChangeOwnersRequest = parserOf<ChangeOwnersRequest>(
  keyRequest.extend({ next: ownersSchema, approval: ownersApprovalSchema }),
)
export const parseResealKeyRequest = parserOf<ResealKeyRequest>(keyRequest)

/** Which version of the sealing key a sealed key needs; see enclave/keys/sealing.ts for the form. */
export function sealingVersionOf(sealedKey: Hex): number {
  return fromHex(sealedKey)[1] ?? 0
}
