import { resolve } from 'node:path'
import { format } from 'prettier'
import { expect, test } from 'vitest'
import { receiptJsonSchema } from './receiptSchema.js'

// `npx vitest run --project unit core/receipt/receiptSchema -u` writes the file anew.
test('docs/receipt-v1.schema.json is what the schema says today', async () => {
  const options = { parser: 'json', semi: false, singleQuote: true, printWidth: 120 }
  const text = await format(JSON.stringify(receiptJsonSchema()), options)
  await expect(text).toMatchFileSnapshot(resolve(import.meta.dirname, '../../docs/receipt-v1.schema.json'))
})
