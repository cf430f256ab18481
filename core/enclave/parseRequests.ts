import { z } from 'zod'
import { ServiceError } from '../errors/index.js'
import type { CreateKeyRequest, SignTransactionRequest } from './wire.js'

const bytes = (length: number) => z.string().regex(new RegExp(`^0x[0-9a-f]{${length * 2}}$`), `${length} bytes of hex`)
/** The sample and the transaction have their own parsers, with their own codes. */
const object = z.record(z.string(), z.unknown())

const createKeySchema = z.strictObject({
  entropy: object,
  nonce: bytes(32),
  coordinatorReportHash: bytes(32),
})

const signTransactionSchema = z.strictObject({
  sealedKey: z
    .string()
    .max(1024)
    .regex(/^0x(?:[0-9a-f]{2})+$/, 'hex'),
  keyId: z.string().regex(/^key_[0-9a-f]{40}$/, 'a key id'),
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'an address'),
  transaction: object,
  digest: bytes(32),
  entropy: object,
  nonce: bytes(32),
  coordinatorReportHash: bytes(32),
})

/** A request whose sample and transaction are not parsed yet: the code that checks them does that next. */
export type Unchecked<Request> = {
  [Key in keyof Request]: Key extends 'entropy' | 'transaction' ? Record<string, unknown> : Request[Key]
}

function parse<T>(schema: z.ZodType, input: unknown): T {
  const result = schema.safeParse(input)
  if (result.success) return result.data as T
  const wrong = result.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`)
  throw new ServiceError('invalid_request', wrong.join('; '))
}

/** Takes anything; returns the outer shape of a request or throws `invalid_request` naming every wrong field. */
export function parseCreateKeyRequest(input: unknown): Unchecked<CreateKeyRequest> {
  return parse(createKeySchema, input)
}

/** Takes anything; returns the outer shape of a request or throws `invalid_request` naming every wrong field. */
export function parseSignTransactionRequest(input: unknown): Unchecked<SignTransactionRequest> {
  return parse(signTransactionSchema, input)
}
