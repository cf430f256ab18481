import { z } from 'zod'
import { authorisationSchema } from '../../authorisation/index.js'
import { hexOf } from '../../bytes/hexSchema.js'
import { messageSchemes } from '../../message/index.js'
import { signer } from './receiptSchema.js'
import { receiptParts } from './schemaParts.js'

/** Every member of a message receipt, none optional, none extra. */
export const messageSchema = z.strictObject({
  version: z.literal('perigee-message/1'),
  ...receiptParts,
  message: z.strictObject({
    scheme: z.enum(messageSchemes),
    from: hexOf(20),
    requestHash: hexOf(32),
    commitment: hexOf(32),
  }),
  signer,
  authorisation: authorisationSchema,
})

/** JSON Schema (2020-12) of a message receipt; `docs/message-v1.schema.json` is this, and a test keeps it so. */
export function messageJsonSchema(): Record<string, unknown> {
  return { title: 'MessageReceiptV1', ...z.toJSONSchema(messageSchema) }
}
