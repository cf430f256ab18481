import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replacementFees } from './replacementFees.js'

const wei = fc.bigInt({ min: 1n, max: 10n ** 13n })

test('a replacement pays at least a tenth more of both fees, the market’s price if higher, and never above the cap', () => {
  fc.assert(
    fc.property(wei, wei, wei, wei, wei, (oldFee, oldTip, fee, tip, cap) => {
      const old = { maxFeePerGas: String(oldFee), maxPriorityFeePerGas: String(oldTip) }
      const next = replacementFees(old, { maxFeePerGas: fee, maxPriorityFeePerGas: tip }, cap)
      if (!next) return
      expect(next.maxFeePerGas * 10n >= oldFee * 11n).toBe(true)
      expect(next.maxPriorityFeePerGas * 10n >= oldTip * 11n).toBe(true)
      expect(next.maxFeePerGas <= cap && next.maxPriorityFeePerGas <= next.maxFeePerGas).toBe(true)
      expect(next.maxFeePerGas === cap || next.maxFeePerGas >= fee).toBe(true)
    }),
  )
})

test('a transaction already at the cap is not replaced', () => {
  const old = { maxFeePerGas: '100', maxPriorityFeePerGas: '10' }
  expect(replacementFees(old, { maxFeePerGas: 500n, maxPriorityFeePerGas: 10n }, 105n)).toBeNull()
})
