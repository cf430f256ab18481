/**
 * A bounded map of what was verified; it drops what was used least recently. It holds successes only, under a key that
 * covers everything they depend on except the time, which is checked at every use.
 */
export function createVerifiedCache<T>(limit: number) {
  const entries = new Map<string, T>()
  return {
    get(key: string): T | undefined {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key: string, value: T): void {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > limit) entries.delete(entries.keys().next().value as string)
    },
  }
}
