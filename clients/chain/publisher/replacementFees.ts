import type { Fees } from '../createChain.js'

export function capped({ maxFeePerGas, maxPriorityFeePerGas }: Fees, cap: bigint): Fees {
  const max = maxFeePerGas < cap ? maxFeePerGas : cap
  return { maxFeePerGas: max, maxPriorityFeePerGas: maxPriorityFeePerGas < max ? maxPriorityFeePerGas : max }
}

/**
 * Fees of a replacement: nodes want at least a tenth more of both, we give an eighth, or the market's fee if that is
 * higher. Null when the cap leaves no room: then the old transaction stays.
 */
export function replacementFees(
  old: { maxFeePerGas: string; maxPriorityFeePerGas: string },
  offered: Fees,
  cap: bigint,
): Fees | null {
  const atLeast = (value: string) => (BigInt(value) * 9n) / 8n + 1n
  const max = (a: bigint, b: bigint) => (a > b ? a : b)
  const tip = max(atLeast(old.maxPriorityFeePerGas), offered.maxPriorityFeePerGas)
  const fee = max(max(atLeast(old.maxFeePerGas), offered.maxFeePerGas), tip)
  if (fee <= cap) return { maxFeePerGas: fee, maxPriorityFeePerGas: tip }
  return atLeast(old.maxFeePerGas) <= cap && tip <= cap ? { maxFeePerGas: cap, maxPriorityFeePerGas: tip } : null
}
