/** A generator whose numbers are the same for the same seed (mulberry32), so that a failure can be repeated. Not for secrets. */
export function createRandom(seed: number) {
  let state = seed >>> 0
  /** A whole number of 32 bits. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const fraction = () => next() / 2 ** 32
  const between = (low: number, high: number) => low + Math.floor(fraction() * (high - low + 1))
  const below = (limit: number) => next() % limit
  return {
    /** At least 0, below 1. */
    fraction,
    /** A whole number from `low` to `high`, both included. */
    between,
    /** A whole number from 0, below `limit`. */
    below,
    bytes: (length: number) => Uint8Array.from({ length }, () => below(256)),
    pick: <T>(items: readonly T[]): T => {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    shuffle: <T>(items: readonly T[]): T[] => {
      const all = [...items]
      for (let last = all.length - 1; last > 0; last--) {
        const other = between(0, last)
        const moved = all[last] as T
        all[last] = all[other] as T
        all[other] = moved
      }
      return all
    },
  }
}

export type Random = ReturnType<typeof createRandom>
