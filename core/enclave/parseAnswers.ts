import { z } from 'zod'
import { ServiceError } from '../errors/index.js'
import { signingPolicySchema } from '../policy/index.js'
import type {
  ChangeOwnersAnswer,
  CreateKeyAnswer,
  EnclaveInfo,
  ResealKeyAnswer,
  SignMessageAnswer,
  SignTransactionAnswer,
} from './wire.js'

const hex = z.string().regex(/^0x(?:[0-9a-f]{2})+$/, 'hex')
const bytes = (length: number) => hex.length(2 + length * 2)
const time = z.int().nonnegative()

const evidence = {
  platform: z.string().max(32),
  quote: hex.max(2 + 2 * 16_384),
  runtimeEvents: z
    .array(z.strictObject({ event: z.string().max(256), payload: z.string().regex(/^(?:[0-9a-f]{2})*$/) }))
    .max(256),
}
const createKeyAnswer = z.strictObject({
  ...evidence,
  keyId: z.string().regex(/^key_[0-9a-f]{40}$/),
  publicKey: bytes(33),
  address: bytes(20),
  sealedKey: hex.max(1024),
  createdAt: time,
})
const signTransactionAnswer = z.strictObject({
  ...evidence,
  signature: bytes(65),
  publicKey: bytes(33),
  policy: signingPolicySchema,
  signedAt: time,
})
const changeOwnersAnswer = z.strictObject({
  ...evidence,
  publicKey: bytes(33),
  sealedKey: hex.max(1024),
  changedAt: time,
})
const resealKeyAnswer = z.strictObject({
  ...evidence,
  publicKey: bytes(33),
  sealedKey: hex.max(1024),
  sealingVersion: z.int().min(1).max(255),
  resealedAt: time,
})
const enclaveInfo = z.strictObject({
  platform: z.string().max(32),
  bundleSha256: bytes(32).nullable(),
  policyHash: bytes(32),
  simulated: z.boolean(),
  sealingVersion: z.int().min(1).max(255),
})

function parse<T>(schema: z.ZodType, input: unknown): T {
  const result = schema.safeParse(input)
  if (result.success) return result.data as T
  const where = result.error.issues.map((issue) => issue.path.join('.') || 'body').join(', ')
  throw new ServiceError('enclave_refused', 'the enclave’s answer has a form that this version does not know', {
    where,
  })
}

export const parseCreateKeyAnswer = (input: unknown): CreateKeyAnswer => parse(createKeyAnswer, input)
export const parseSignTransactionAnswer = (input: unknown): SignTransactionAnswer => parse(signTransactionAnswer, input)
export const parseSignMessageAnswer = (input: unknown): SignMessageAnswer => parse(signTransactionAnswer, input)
export const parseChangeOwnersAnswer = (input: unknown): ChangeOwnersAnswer => parse(changeOwnersAnswer, input)
export const parseResealKeyAnswer = (input: unknown): ResealKeyAnswer => parse(resealKeyAnswer, input)
export const parseEnclaveInfo = (input: unknown): EnclaveInfo => parse(enclaveInfo, input)
