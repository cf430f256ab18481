/** EIP-1559, in wei. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

export function capped({ maxFeePerGas, maxPriorityFeePerGas }: Fees, cap: bigint): Fees {
  const max = maxFeePerGas < cap ? maxFeePerGas : cap
  return { maxFeePerGas: max, maxPriorityFeePerGas: maxPriorityFeePerGas < max ? maxPriorityFeePerGas : max }
}

/**
 * Fees that replace a waiting transaction: nodes want at least a tenth more of both, we give an eighth, or what the
 * market asks if that is more. Null when the cap leaves no room for it: then the old offer stands.
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
