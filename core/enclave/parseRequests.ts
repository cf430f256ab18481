import { z } from 'zod'
import { ownersApprovalSchema, ownersSchema, passkeyApprovalSchema, statementSchema } from '../authorisation/index.js'
import { hexOf, hexUpTo } from '../bytes/hexSchema.js'
import { fromHex, type Hex } from '../bytes/index.js'
import type { EntropySample } from '../entropy/index.js'
import { parseSchema } from '../errors/index.js'
import type { Message } from '../message/index.js'
import { coordinatorIdentity } from '../receipt/schema/coordinatorIdentity.js'
import type { TxMetadata } from '../transaction/index.js'

/** The sample, the transaction and the message have their own parsers, with their own codes. */
const object = z.record(z.string(), z.unknown())

const hexUpToBytes = (bytes: number) => hexUpTo(bytes).min(4)

/** The coordinator's SNP report with what is needed to verify it. The enclave has the roots and the release list. */
const coordinator = z.strictObject({
  report: hexOf(1184),
  vek: hexUpToBytes(4096),
  intermediate: hexUpToBytes(4096),
  identity: coordinatorIdentity,
  nonce: hexOf(32),
  expiresAt: z.int().nonnegative(),
})
/** What every request to make or use a key carries: who asks, and for what. */
const request = z.strictObject({
  /** 32 random bytes, new for every attempt: REPORTDATA includes it, so an old answer cannot be replayed. */
  nonce: hexOf(32),
  coordinator,
  statement: statementSchema,
})
/** A sealed key with all that its seal is bound to, apart from the subject, which the statement names. */
const sealedKey = z.strictObject({
  sealedKey: hexUpToBytes(512),
  keyId: z.string().regex(/^key_[0-9a-f]{40}$/, 'a key id'),
  address: hexOf(20),
  owners: ownersSchema.nullable(),
  since: z.enum(['creation', 'upgrade']).nullable(),
})
const keyRequest = request.extend(sealedKey.shape)
/** The approval is needed where the wallet has owners. */
const signing = keyRequest.extend({ entropy: object, approval: passkeyApprovalSchema.nullable() })

const createKey = request.extend({
  entropy: object,
  /** Who will own the key: null for a wallet that needs no passkey. Every passkey of the record must have approved it. */
  owners: ownersSchema.nullable(),
  approval: ownersApprovalSchema.nullable(),
})
const signTransaction = signing.extend({ transaction: object, digest: hexOf(32) })
/** There is no digest: the enclave computes it from the content. The salt, of the caller, hides the message in its receipt. */
const signMessage = signing.extend({ message: object, salt: hexOf(32) })
const changeOwners = keyRequest.extend({ next: ownersSchema, approval: ownersApprovalSchema })

/** What the members that are not parsed yet hold in a good request. */
interface Parsed {
  entropy: EntropySample
  transaction: TxMetadata
  message: Message
}
type Request<Schema extends z.ZodType> = { [Name in keyof z.infer<Schema>]: Name extends keyof Parsed ? Parsed[Name] : z.infer<Schema>[Name] } // prettier-ignore
/** A request whose sample, transaction and message are not parsed yet: the code that checks them does that next. */
export type Unchecked<T> = { [Name in keyof T]: Name extends keyof Parsed ? Record<string, unknown> : T[Name] }

// Bodies of `POST /create-key` and so on to the enclave.
export type CoordinatorEvidence = z.infer<typeof coordinator>
export type SealedKey = z.infer<typeof sealedKey>
export type CreateKeyRequest = Request<typeof createKey>
export type SignTransactionRequest = Request<typeof signTransaction>
export type SignMessageRequest = Request<typeof signMessage>
export type ChangeOwnersRequest = Request<typeof changeOwners>
export type ResealKeyRequest = Request<typeof keyRequest>

// Each takes anything; returns the outer shape of a request or throws `invalid_request` naming every wrong field.
const parserOf =
  <Schema extends z.ZodType>(schema: Schema) =>
  (input: unknown): z.infer<Schema> =>
    parseSchema(schema, input, 'invalid_request', 'body')

export const parseCreateKeyRequest = parserOf(createKey)
export const parseSignTransactionRequest = parserOf(signTransaction)
export const parseSignMessageRequest = parserOf(signMessage)
export const parseChangeOwnersRequest = parserOf(changeOwners)
export const parseResealKeyRequest = parserOf(keyRequest)

/** Which version of the sealing key a sealed key needs; see enclave/keys/sealing.ts for the form. */
export function sealingVersionOf(sealedKey: Hex): number {
  return fromHex(sealedKey)[1] ?? 0
}
