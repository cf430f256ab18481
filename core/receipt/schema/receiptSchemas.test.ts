import { resolve } from 'node:path'
import { format } from 'prettier'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { signedReleaseSchema } from '../../measurements/Release.js'
import { openingSchema } from '../../message/parseOpening.js'
import { collateralSchema } from '../../tdx/collateral/parseQuoteCollateral.js'
import { anchorsSchema } from '../anchors/TrustAnchors.js'
import { receiptSchemas } from './receiptSchemas.js'

/** As a file has it, before it is read. */
const formOf = (title: string, schema: z.ZodType) => () => ({ title, ...z.toJSONSchema(schema, { io: 'input' }) })

// `npx vitest run --project unit core/receipt/schema/receiptSchemas -u` rewrites the file.
test.each([
  ['receipt-v1.schema.json', formOf('AttestationReceiptV1', receiptSchemas.transaction)],
  ['birth-v1.schema.json', formOf('BirthReceiptV1', receiptSchemas.birth)],
  ['message-v1.schema.json', formOf('MessageReceiptV1', receiptSchemas.message)],
  ['opening-v1.schema.json', formOf('Opening', openingSchema)],
  ['collateral-v1.schema.json', formOf('QuoteCollateral', collateralSchema)],
  ['release-v1.schema.json', formOf('SignedRelease', signedReleaseSchema)],
  ['trust-v1.schema.json', formOf('TrustAnchors', anchorsSchema)],
])('docs/%s is what the schema says today', async (file, schema) => {
  const options = { parser: 'json', semi: false, singleQuote: true, printWidth: 120 }
  const text = await format(JSON.stringify(schema()), options)
  await expect(text).toMatchFileSnapshot(resolve(import.meta.dirname, '../../../docs', file))
})
