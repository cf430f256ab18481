import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/**
 * Caches opened cookies, because opening one (two key derivations, one decryption) is the most expensive part of a
 * refused request, and a flood with one cookie would slow everyone down. Only cookies that did open are kept, so forged
 * ones cannot fill the cache, and under their hash, so that no cookie stays in memory. A cookie may outlive its seal by
 * `ttl`.
 */
export function cacheOpened<T extends object>(
  open: (sealed: string) => Promise<T | null>,
  limits: { ttl: number; max: number; perf?: { now(): number }; ttlResolution?: number },
): (sealed: string) => Promise<T | null> {
  const opened = new LRUCache<string, T>(limits)
  return async (sealed) => {
    const key = hash('sha256', sealed, 'base64url')
    const known = opened.get(key)
    if (known) return known
    const value = await open(sealed)
    if (value) opened.set(key, value)
    return value
  }
}
