import { hash } from 'node:crypto'

export interface OpenOnceSettings {
  /** How long an opened seal is known by sight; its own end may come this much later. */
  keepMs: number
  /** Seals known at once: the ones used longest ago are forgotten first. */
  most: number
  now?: () => number
}

/**
 * Opens each seal once in a while instead of at every request. Opening is by far the dearest part of a refused request
 * (two key derivations, one decryption), so a flood with one cookie would make everyone wait for it. Only seals that did
 * open are kept, so nobody fills the memory with invented ones, and by hash, so that no cookie lies around.
 */
export function createOpenOnce<T>(open: (sealed: string) => Promise<T | null>, settings: OpenOnceSettings) {
  const { keepMs, most, now = () => performance.now() } = settings
  const known = new Map<string, { value: T; until: number }>()

  return async (sealed: string): Promise<T | null> => {
    const key = hash('sha256', sealed, 'base64url')
    const at = now()
    const seen = known.get(key)
    if (seen && seen.until > at) {
      // Last in the map is used last.
      known.delete(key)
      known.set(key, seen)
      return seen.value
    }
    known.delete(key)
    const value = await open(sealed)
    if (value === null) return null
    for (const oldest of known.keys()) {
      if (known.size < most) break
      known.delete(oldest)
    }
    known.set(key, { value, until: at + keepMs })
    return value
  }
}
