/** One sent transaction. Public values only: all of them are on the chain or in its proof. */
export interface SentTransaction {
  slug: string
  txHash: string
  to: string
  wei: string
  at: string
}

const keyOf = (address: string) => `perigee.sent.${address.toLowerCase()}`
const most = 20

/**
 * The service keeps no list of a person's proofs, on purpose: a slug cannot be derived from the wallet. So this browser
 * remembers the slugs it was given; another browser starts with an empty list.
 */
export function readHistory(address: string): SentTransaction[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(address)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isSent) : []
  } catch {
    return []
  }
}

/** Adds one in front and returns the list; forgets the oldest beyond twenty. */
export function addToHistory(address: string, transaction: SentTransaction): SentTransaction[] {
  const list = [transaction, ...readHistory(address).filter(({ slug }) => slug !== transaction.slug)].slice(0, most)
  try {
    localStorage.setItem(keyOf(address), JSON.stringify(list))
  } catch {
    // Storage is full or forbidden: the list then lives as long as the page.
  }
  return list
}

function isSent(value: unknown): value is SentTransaction {
  const entry = Object(value) as Record<string, unknown>
  return (
    ['slug', 'txHash', 'to', 'wei', 'at'].every((key) => typeof entry[key] === 'string') &&
    /^\d+$/.test(String(entry.wei))
  )
}
