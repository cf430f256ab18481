const known: Record<number, { name: string; explorer?: string }> = {
  31337: { name: 'the local chain' },
  11155111: { name: 'Sepolia', explorer: 'https://sepolia.etherscan.io' },
  84532: { name: 'Base Sepolia', explorer: 'https://sepolia.basescan.org' },
}

export function chainName(chainId: number): string {
  return known[chainId]?.name ?? `chain ${chainId}`
}

/** Where a person can look a transaction up; null for chains without a public explorer. */
export function transactionUrl(chainId: number, txHash: string): string | null {
  const explorer = known[chainId]?.explorer
  return explorer ? `${explorer}/tx/${txHash}` : null
}
