import { expect, test } from 'vitest'
import { attestationCodes } from '../errors/attestationCodes.js'
import { createSnpCases } from '../snp/testing/snpCases.js'
import { createTdxCases } from './testing/tdxCases.js'

test('every code of the quote and report verifiers has a minted case that provokes it', async () => {
  const cases = [...(await createTdxCases()), ...(await createSnpCases())]
  const provoked = new Set(cases.flatMap(({ expect: wanted }) => ('code' in wanted ? [wanted.code as string] : [])))
  const names = Object.keys(attestationCodes)
  // The codes from here on are the receipt verifier's, and tested there.
  const own = names.slice(0, names.indexOf('receipt_too_large'))
  expect(own.length).toBeGreaterThan(35)
  expect(own.filter((code) => !provoked.has(code))).toEqual([])
})
