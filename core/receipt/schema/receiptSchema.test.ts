import { resolve } from 'node:path'
import { format } from 'prettier'
import { expect, test } from 'vitest'
import { birthJsonSchema } from './birthSchema.js'
import { messageJsonSchema } from './messageSchema.js'
import { receiptJsonSchema } from './receiptSchema.js'

// `npx vitest run --project unit core/receipt/schema/receiptSchema -u` rewrites the file.
test.each([
  ['receipt-v1.schema.json', receiptJsonSchema],
  ['birth-v1.schema.json', birthJsonSchema],
  ['message-v1.schema.json', messageJsonSchema],
])('docs/%s is what the schema says today', async (file, schema) => {
  const options = { parser: 'json', semi: false, singleQuote: true, printWidth: 120 }
  const text = await format(JSON.stringify(schema()), options)
  await expect(text).toMatchFileSnapshot(resolve(import.meta.dirname, '../../../docs', file))
})
