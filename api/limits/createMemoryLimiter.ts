import { toVerdict, type LimitVerdict, type RateLimit } from './RateLimit.js'

const maxKeys = 100_000

/** Counts in this process only, in bounded memory, however many addresses an attacker uses. */
export function createMemoryLimiter(limit: RateLimit, now: () => number = () => performance.now()) {
  const intervalMs = 1000 / limit.perSecond
  const freeAt = new Map<string, number>()
  let pruneAt = 0

  /** A full bucket needs no entry. */
  function prune(at: number): void {
    pruneAt = at + 10_000
    for (const [key, free] of freeAt) if (free <= at) freeAt.delete(key)
  }

  return {
    take(key: string): LimitVerdict {
      const at = now()
      if (at >= pruneAt || freeAt.size >= maxKeys) prune(at)
      const busyMs = Math.max(0, (freeAt.get(key) ?? 0) - at)
      // With the table full of busy callers, new ones are refused: evicting entries would let the flood in.
      if (busyMs > (limit.burst - 1) * intervalMs || (freeAt.size >= maxKeys && !freeAt.has(key))) {
        return toVerdict(limit, false, busyMs)
      }
      freeAt.set(key, at + busyMs + intervalMs)
      return toVerdict(limit, true, busyMs + intervalMs)
    },
    /** Undoes a `take` that was allowed. */
    giveBack(key: string): void {
      const free = freeAt.get(key)
      if (free !== undefined) freeAt.set(key, free - intervalMs)
    },
    get size() {
      return freeAt.size
    },
  }
}
