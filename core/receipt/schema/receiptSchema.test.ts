import { resolve } from 'node:path'
import { format } from 'prettier'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { signedReleaseSchema } from '../../measurements/Release.js'
import { openingSchema } from '../../message/parseOpening.js'
import { collateralSchema } from '../../tdx/collateral/parseQuoteCollateral.js'
import { anchorsSchema } from '../anchors/TrustAnchors.js'
import { birthJsonSchema } from './birthSchema.js'
import { messageJsonSchema } from './messageSchema.js'
import { receiptJsonSchema } from './receiptSchema.js'

/** As a file has it, before it is read. */
const formOf = (title: string, schema: z.ZodType) => () => ({ title, ...z.toJSONSchema(schema, { io: 'input' }) })

// `npx vitest run --project unit core/receipt/schema/receiptSchema -u` rewrites the file.
test.each([
  ['receipt-v1.schema.json', receiptJsonSchema],
  ['birth-v1.schema.json', birthJsonSchema],
  ['message-v1.schema.json', messageJsonSchema],
  ['opening-v1.schema.json', formOf('Opening', openingSchema)],
  ['collateral-v1.schema.json', formOf('QuoteCollateral', collateralSchema)],
  ['release-v1.schema.json', formOf('SignedRelease', signedReleaseSchema)],
  ['trust-v1.schema.json', formOf('TrustAnchors', anchorsSchema)],
])('docs/%s is what the schema says today', async (file, schema) => {
  const options = { parser: 'json', semi: false, singleQuote: true, printWidth: 120 }
  const text = await format(JSON.stringify(schema()), options)
  await expect(text).toMatchFileSnapshot(resolve(import.meta.dirname, '../../../docs', file))
})
