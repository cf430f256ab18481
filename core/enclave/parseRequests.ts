import { z } from 'zod'
import { hexOf } from '../bytes/hexSchema.js'
import { parseSchema } from '../errors/index.js'
import type { CreateKeyRequest, SignTransactionRequest } from './wire.js'

/** The sample and the transaction have their own parsers, with their own codes. */
const object = z.record(z.string(), z.unknown())

const createKeySchema = z.strictObject({
  entropy: object,
  nonce: hexOf(32),
  coordinatorReportHash: hexOf(32),
})

const signTransactionSchema = z.strictObject({
  sealedKey: z
    .string()
    .max(1024)
    .regex(/^0x(?:[0-9a-f]{2})+$/, 'hex'),
  keyId: z.string().regex(/^key_[0-9a-f]{40}$/, 'a key id'),
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'an address'),
  transaction: object,
  digest: hexOf(32),
  entropy: object,
  nonce: hexOf(32),
  coordinatorReportHash: hexOf(32),
})

/** A request whose sample and transaction are not parsed yet: the code that checks them does that next. */
export type Unchecked<Request> = {
  [Key in keyof Request]: Key extends 'entropy' | 'transaction' ? Record<string, unknown> : Request[Key]
}

/** Takes anything; returns the outer shape of a request or throws `invalid_request` naming every wrong field. */
export function parseCreateKeyRequest(input: unknown): Unchecked<CreateKeyRequest> {
  return parseSchema(createKeySchema, input, 'invalid_request', 'body')
}

/** Takes anything; returns the outer shape of a request or throws `invalid_request` naming every wrong field. */
export function parseSignTransactionRequest(input: unknown): Unchecked<SignTransactionRequest> {
  return parseSchema(signTransactionSchema, input, 'invalid_request', 'body')
}
