/** What is known about the receipts of a wallet when its nonces are compared. */
export interface NonceInput {
  /** How many transactions the chain has included from this wallet. */
  count: number
  /** Nonces of included transactions whose receipts were read. */
  receipts: readonly number[]
  /** Published receipts that were not read, or could not be. */
  unread: number
  /** Whether every block was searched for events. */
  searchedAll: boolean
}

export interface NonceCoverage {
  /** `none`: nothing was sent. `unknown`: what was not read may fill the gaps. */
  kind: 'none' | 'covered' | 'missing' | 'unknown'
  /** Nonces without a receipt. */
  missing: number[]
}

/** Whether any transaction lacks a receipt. A gap counts only when nothing unread could fill it. */
export function nonceCoverage({ count, receipts, unread, searchedAll }: NonceInput): NonceCoverage {
  const known = new Set(receipts)
  const missing: number[] = []
  for (let nonce = 0; nonce < count; nonce++) if (!known.has(nonce)) missing.push(nonce)
  if (missing.length === 0) return { kind: count === 0 ? 'none' : 'covered', missing }
  return { kind: unread > 0 || !searchedAll ? 'unknown' : 'missing', missing }
}

/** Numbers as people write them: 3, 5–9, 12. At most eight parts. */
export function rangesOf(numbers: readonly number[]): string {
  const parts: [number, number][] = []
  for (const number of numbers) {
    const last = parts.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else parts.push([number, number])
  }
  const words = parts.slice(0, 8).map(([from, to]) => (from === to ? String(from) : `${from}–${to}`))
  return words.join(', ') + (parts.length > 8 ? ', …' : '')
}
