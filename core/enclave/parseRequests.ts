import { z } from 'zod'
import { ownersApprovalSchema, ownersSchema, passkeyApprovalSchema, statementSchema } from '../authorisation/index.js'
import { hexOf, hexUpTo } from '../bytes/hexSchema.js'
import { parseSchema } from '../errors/index.js'
import { coordinatorIdentity } from '../receipt/schema/receiptSchemas.js'
import type {
  ChangeOwnersRequest,
  CreateKeyRequest,
  ResealKeyRequest,
  SignMessageRequest,
  SignTransactionRequest,
} from './wire.js'

/** The sample, the transaction and the message have their own parsers, with their own codes. */
const object = z.record(z.string(), z.unknown())

const hexUpToBytes = (bytes: number) => hexUpTo(bytes).min(4)

const request = {
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
}
const sealedKey = {
  sealedKey: hexUpToBytes(512),
  keyId: z.string().regex(/^key_[0-9a-f]{40}$/, 'a key id'),
  address: hexOf(20),
  owners: ownersSchema.nullable(),
  since: z.enum(['creation', 'upgrade']).nullable(),
}

const createKeySchema = z.strictObject({
  ...request,
  entropy: object,
  owners: ownersSchema.nullable(),
  approval: ownersApprovalSchema.nullable(),
})

const signTransactionSchema = z.strictObject({
  ...request,
  ...sealedKey,
  transaction: object,
  digest: hexOf(32),
  entropy: object,
  approval: passkeyApprovalSchema.nullable(),
})

const signMessageSchema = z.strictObject({
  ...request,
  ...sealedKey,
  message: object,
  salt: hexOf(32),
  entropy: object,
  approval: passkeyApprovalSchema.nullable(),
})

const changeOwnersSchema = z.strictObject({
  ...request,
  ...sealedKey,
  next: ownersSchema,
  approval: ownersApprovalSchema,
})

const resealKeySchema = z.strictObject({ ...request, ...sealedKey })

/** A request whose sample, transaction and message are not parsed yet: the code that checks them does that next. */
export type Unchecked<Request> = {
  [Key in keyof Request]: Key extends 'entropy' | 'transaction' | 'message' ? Record<string, unknown> : Request[Key]
}

/** Takes anything; returns the outer shape of a request or throws `invalid_request` naming every wrong field. */
export function parseCreateKeyRequest(input: unknown): Unchecked<CreateKeyRequest> {
  return parseSchema(createKeySchema, input, 'invalid_request', 'body')
}

/** Takes anything; returns the outer shape of a request or throws `invalid_request` naming every wrong field. */
export function parseSignTransactionRequest(input: unknown): Unchecked<SignTransactionRequest> {
  return parseSchema(signTransactionSchema, input, 'invalid_request', 'body')
}

/** Takes anything; returns the outer shape of a request or throws `invalid_request` naming every wrong field. */
export function parseSignMessageRequest(input: unknown): Unchecked<SignMessageRequest> {
  return parseSchema(signMessageSchema, input, 'invalid_request', 'body')
}

/** Takes anything; returns the request or throws `invalid_request` naming every wrong field. */
export function parseChangeOwnersRequest(input: unknown): ChangeOwnersRequest {
  return parseSchema(changeOwnersSchema, input, 'invalid_request', 'body')
}

/** Takes anything; returns the request or throws `invalid_request` naming every wrong field. */
export function parseResealKeyRequest(input: unknown): ResealKeyRequest {
  return parseSchema(resealKeySchema, input, 'invalid_request', 'body')
}
