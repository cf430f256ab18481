/** A bounded map that forgets what was used least recently. */
export interface LruCache<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  clear(): void
}

/** Holds successes only, under a hash of everything they depend on but the time, which is checked at every use. */
export function createLruCache<T>(limit: number): LruCache<T> {
  const entries = new Map<string, T>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > limit) entries.delete(entries.keys().next().value as string)
    },
    clear: () => entries.clear(),
  }
}
