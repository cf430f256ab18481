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
export type Unchecked<Request> = {
  [Key in keyof Request]: Key extends 'entropy' | 'transaction' | 'message' ? Record<string, unknown> : Request[Key]
}

// Each takes anything; returns the outer shape of a request or throws `invalid_request` naming every wrong field.
const parserOf =
  <Request>(schema: z.ZodType<Unchecked<Request>>) =>
  (input: unknown): Unchecked<Request> =>
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
