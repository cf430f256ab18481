import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cancellationFees, covers, replacementFees } from './replacementFees.js'

const wei = fc.bigInt({ min: 1n, max: 10n ** 13n })
/** Fees that a node would take: the tip is part of the fee. */
const fees = fc
  .tuple(wei, wei)
  .map(([a, b]) =>
    a > b ? { maxFeePerGas: a, maxPriorityFeePerGas: b } : { maxFeePerGas: b, maxPriorityFeePerGas: a },
  )
const asOffer = ({ maxFeePerGas, maxPriorityFeePerGas }: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }) => ({
  maxFeePerGas: String(maxFeePerGas),
  maxPriorityFeePerGas: String(maxPriorityFeePerGas),
})

test('a replacement pays at least a tenth more of both fees, the market’s price if higher, and never above the cap', () => {
  fc.assert(
    fc.property(fees, fees, wei, (old, market, cap) => {
      const next = replacementFees(asOffer(old), market, cap)
      if (!next) return
      expect(next.maxFeePerGas * 10n >= old.maxFeePerGas * 11n).toBe(true)
      expect(next.maxPriorityFeePerGas * 10n >= old.maxPriorityFeePerGas * 11n).toBe(true)
      expect(next.maxFeePerGas <= cap && next.maxPriorityFeePerGas <= next.maxFeePerGas).toBe(true)
      expect(next.maxFeePerGas === cap || next.maxFeePerGas >= market.maxFeePerGas).toBe(true)
    }),
  )
})

test('a transaction already at the cap is not replaced', () => {
  const old = { maxFeePerGas: '100', maxPriorityFeePerGas: '10' }
  expect(replacementFees(old, { maxFeePerGas: 500n, maxPriorityFeePerGas: 10n }, 105n)).toBeNull()
})

test('a cancellation always replaces, and exceeds the cap only by the eighth that it must', () => {
  fc.assert(
    fc.property(fees, fees, wei, (old, market, cap) => {
      const next = cancellationFees(asOffer(old), market, cap)
      expect(next.maxFeePerGas * 10n >= old.maxFeePerGas * 11n).toBe(true)
      expect(next.maxPriorityFeePerGas * 10n >= old.maxPriorityFeePerGas * 11n).toBe(true)
      expect(next.maxPriorityFeePerGas <= next.maxFeePerGas).toBe(true)
      expect(next.maxFeePerGas <= cap || next.maxFeePerGas === (old.maxFeePerGas * 9n) / 8n + 1n).toBe(true)
    }),
  )
})

test('an offer covers the market only with both of its fees', () => {
  const market = { maxFeePerGas: 100n, maxPriorityFeePerGas: 10n }
  expect(covers({ maxFeePerGas: '200', maxPriorityFeePerGas: '20' }, market, 2n)).toBe(true)
  expect(covers({ maxFeePerGas: '900', maxPriorityFeePerGas: '19' }, market, 2n)).toBe(false)
  expect(covers({ maxFeePerGas: '199', maxPriorityFeePerGas: '20' }, market, 2n)).toBe(false)
})
