import { z } from 'zod'
import { ownersApprovalSchema, ownersSchema, statementSchema } from '../../authorisation/index.js'
import { hexOf } from '../../bytes/hexSchema.js'
import { name, receiptParts, seconds, signerEvidence } from './schemaParts.js'

/** Every member of a birth receipt, none optional, none extra. */
export const birthSchema = z.strictObject({
  version: z.literal('perigee-birth/1'),
  ...receiptParts,
  key: z.strictObject({
    keyId: name,
    publicKey: hexOf(33),
    address: hexOf(20),
    sealedKeyHash: hexOf(32),
    ownersHash: hexOf(32),
    subject: hexOf(32),
    createdAt: seconds,
  }),
  signer: z.strictObject(signerEvidence),
  authorisation: z
    .strictObject({
      statement: statementSchema,
      owners: ownersSchema.nullable(),
      approval: ownersApprovalSchema.nullable(),
    })
    .refine(({ owners, approval }) => (owners === null) === (approval === null), 'owners and approval go together'),
})

/** JSON Schema (2020-12) of a birth receipt; `docs/birth-v1.schema.json` is this, and a test keeps it so. */
export function birthJsonSchema(): Record<string, unknown> {
  return { title: 'BirthReceiptV1', ...z.toJSONSchema(birthSchema) }
}
