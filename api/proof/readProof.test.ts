import { expect, test } from 'vitest'
import { parseSlug, readRecord } from './readProof.js'

test('an unknown slug and one that was cut off get the same answer', async () => {
  const unknown = expect.objectContaining({ code: 'proof_not_found', message: 'there is no proof with this slug' })
  await expect(readRecord({ findProof: async () => null }, 'c2x1Z3NsdWdzbHVnc2x1Zw')).rejects.toEqual(unknown)
  for (const slug of ['c2x1Z3', '', undefined, 'c2x1Z3NsdWdzbHVnc2x1Zw!'])
    expect(() => parseSlug(slug)).toThrow(unknown)
  expect(parseSlug('c2x1Z3NsdWdzbHVnc2x1Zw')).toBe('c2x1Z3NsdWdzbHVnc2x1Zw')
})
