import { z } from 'zod'
import { authorisationSchema } from '../../authorisation/index.js'
import { hexOf, hexUpTo } from '../../bytes/hexSchema.js'
import { signingPolicySchema } from '../../policy/index.js'
import { cid, decimal, name, receiptParts, seconds, signerEvidence } from './schemaParts.js'

const transaction = z.strictObject({
  type: z.literal('eip1559'),
  chainId: z.int().positive(),
  nonce: z.int().nonnegative(),
  to: hexOf(20),
  value: decimal,
  data: hexUpTo(24_576),
  gas: decimal,
  maxFeePerGas: decimal,
  maxPriorityFeePerGas: decimal,
  from: hexOf(20),
  digest: hexOf(32),
  txHash: hexOf(32),
  signature: hexOf(65),
})

/** Of every receipt of a signature. */
export const signer = z.strictObject({
  ...signerEvidence,
  keyId: name,
  publicKey: hexOf(33),
  address: hexOf(20),
  birthCid: cid,
  policy: signingPolicySchema,
  signedAt: seconds,
})

/** Every member of a receipt, none optional, none extra. */
export const receiptSchema = z.strictObject({
  version: z.literal('perigee-receipt/1'),
  ...receiptParts,
  transaction,
  signer,
  authorisation: authorisationSchema,
})

/** JSON Schema (2020-12) of a receipt; `docs/receipt-v1.schema.json` is this, and a test keeps it so. */
export function receiptJsonSchema(): Record<string, unknown> {
  return { title: 'AttestationReceiptV1', ...z.toJSONSchema(receiptSchema) }
}
