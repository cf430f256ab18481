import type { Fees } from '../createChain.js'

/** The fees of a signed transaction, as the records have them. */
interface Offer {
  maxFeePerGas: string
  maxPriorityFeePerGas: string
}

/** Nodes replace a transaction for at least a tenth more of both fees; we give an eighth. */
const raised = (value: string): bigint => (BigInt(value) * 9n) / 8n + 1n
const higher = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b)

export function capped({ maxFeePerGas, maxPriorityFeePerGas }: Fees, cap: bigint): Fees {
  const max = lower(maxFeePerGas, cap)
  return { maxFeePerGas: max, maxPriorityFeePerGas: lower(maxPriorityFeePerGas, max) }
}

/** True when the offer is this many times what the market asks, in both fees. */
export function covers(offer: Offer, market: Fees, times: bigint): boolean {
  return (
    BigInt(offer.maxFeePerGas) >= times * market.maxFeePerGas &&
    BigInt(offer.maxPriorityFeePerGas) >= times * market.maxPriorityFeePerGas
  )
}

/**
 * Fees of an empty transfer that takes a nonce from `old`: an eighth more, or the market's fee if that is higher. The eighth may
 * exceed the cap, because an offer at the cap would otherwise block its key permanently. The transfer still costs less
 * than the publication was allowed to, because it needs less gas.
 */
export function cancellationFees(old: Offer, market: Fees, cap: bigint): Fees {
  const fee = higher(raised(old.maxFeePerGas), lower(market.maxFeePerGas, cap))
  return {
    maxFeePerGas: fee,
    maxPriorityFeePerGas: lower(higher(raised(old.maxPriorityFeePerGas), market.maxPriorityFeePerGas), fee),
  }
}

/** The same for a fee bump. Null when the cap leaves no room: then the old transaction stays. */
export function replacementFees(old: Offer, market: Fees, cap: bigint): Fees | null {
  const fees = cancellationFees(old, market, cap)
  return fees.maxFeePerGas <= cap ? fees : null
}
