import { expect, test } from 'vitest'
import { formatEther } from './formatEther.js'

test.each([
  [0n, '0'],
  [1n, '0.000000000000000001'],
  [10n ** 18n, '1'],
  [1_500_000_000_000_000_000n, '1.5'],
  ['123000000000000000000', '123'],
])('%s wei is %s ether', (wei, ether) => {
  expect(formatEther(wei)).toBe(ether)
})
