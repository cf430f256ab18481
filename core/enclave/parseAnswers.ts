import { z } from 'zod'
import { hexOf, hexUpTo } from '../bytes/hexSchema.js'
import { ServiceError } from '../errors/index.js'
import { signingPolicySchema } from '../policy/index.js'

const time = z.int().nonnegative()
const sealingVersion = z.int().min(1).max(255)
/** Useless outside enclaves of the same application; safe to store and to keep in histories. */
const sealedKey = hexUpTo(511).min(4)

/** What every answer of the enclave carries as evidence. */
const evidence = z.strictObject({
  /** `dstack` or `simulated`: a label for people. Trust comes from the quote's root only. */
  platform: z.string().max(32),
  quote: hexUpTo(16_384).min(4),
  /** What was measured into RTMR3 since the machine started: replaying it gives the quoted register. */
  runtimeEvents: z
    .array(z.strictObject({ event: z.string().max(256), payload: z.string().regex(/^(?:[0-9a-f]{2})*$/) }))
    .max(256),
})
const createKeyAnswer = evidence.extend({
  keyId: z.string().regex(/^key_[0-9a-f]{40}$/),
  publicKey: hexOf(33),
  address: hexOf(20),
  sealedKey,
  createdAt: time,
})
const signAnswer = evidence.extend({
  /** 65 bytes, low s, v 27 or 28. The same content always gives the same bytes (RFC 6979). */
  signature: hexOf(65),
  publicKey: hexOf(33),
  /** What the enclave signs: the quote binds its hash. */
  policy: signingPolicySchema,
  signedAt: time,
})
/** The same key, sealed for the next owners. */
const changeOwnersAnswer = evidence.extend({ publicKey: hexOf(33), sealedKey, changedAt: time })
/** The same key for the same owners, sealed under the enclave's current version. */
const resealKeyAnswer = evidence.extend({ publicKey: hexOf(33), sealedKey, sealingVersion, resealedAt: time })
/** Answer of `GET /info`: what is running. It is not evidence: only quotes are. */
const enclaveInfo = z.strictObject({
  platform: z.string().max(32),
  bundleSha256: hexOf(32).nullable(),
  policyHash: hexOf(32),
  simulated: z.boolean(),
  /** Of the sealing key under which new keys are sealed. */
  sealingVersion,
})

export type EnclaveEvidence = z.infer<typeof evidence>
export type CreateKeyAnswer = z.infer<typeof createKeyAnswer>
export type SignTransactionAnswer = z.infer<typeof signAnswer>
export type SignMessageAnswer = SignTransactionAnswer
export type ChangeOwnersAnswer = z.infer<typeof changeOwnersAnswer>
export type ResealKeyAnswer = z.infer<typeof resealKeyAnswer>
export type EnclaveInfo = z.infer<typeof enclaveInfo>

function parserOf<Schema extends z.ZodType>(schema: Schema) {
  return (input: unknown): z.infer<Schema> => {
    const result = schema.safeParse(input)
    if (result.success) return result.data
    const where = result.error.issues.map((issue) => issue.path.join('.') || 'body').join(', ')
    throw new ServiceError('enclave_refused', 'the enclave’s answer has a form that this version does not know', {
      where,
    })
  }
}

export const parseCreateKeyAnswer = parserOf(createKeyAnswer)
export const parseSignTransactionAnswer = parserOf(signAnswer)
export const parseSignMessageAnswer = parserOf(signAnswer)
export const parseChangeOwnersAnswer = parserOf(changeOwnersAnswer)
export const parseResealKeyAnswer = parserOf(resealKeyAnswer)
export const parseEnclaveInfo = parserOf(enclaveInfo)
