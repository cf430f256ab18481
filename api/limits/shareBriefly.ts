import { LRUCache } from 'lru-cache'

const maxKeys = 1_000

/**
 * Callers that ask for the same thing within `ms` share one answer, so that a flood of one question costs as much as one
 * caller. A failure is not kept.
 */
export function shareBriefly<T>(ask: (key: string) => Promise<T>, ms: number): (key: string) => Promise<T> {
  const recent = new LRUCache<string, Promise<T>>({ max: maxKeys, ttl: ms })
  return (key) => {
    const known = recent.get(key)
    if (known) return known
    const asked = ask(key)
    recent.set(key, asked)
    asked.catch(() => recent.delete(key))
    return asked
  }
}
