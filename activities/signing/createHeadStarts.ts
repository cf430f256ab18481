/** At once, and for how long: whoever comes for one comes within milliseconds, or not at all. */
const atMost = 16
const keptMs = 5_000

/**
 * Work that is begun before it is certain that it will be wanted. What nobody wants is forgotten; what fails is told to
 * whoever takes it up.
 */
export function createHeadStarts<T>() {
  const begun = new Map<string, { work: Promise<T>; want: () => void; forget: NodeJS.Timeout }>()
  return {
    /** `start` waits for `wanted` before it does what cannot be undone. */
    begin(name: string, start: (wanted: Promise<void>) => Promise<T>): void {
      if (begun.size >= atMost || begun.has(name)) return
      let want = () => undefined as void
      const work = start(new Promise<void>((resolve) => (want = resolve)))
      work.catch(() => undefined)
      begun.set(name, { work, want, forget: setTimeout(() => begun.delete(name), keptMs).unref() })
    },

    /** It is wanted now, and somebody will take it up. */
    finish(name: string): Promise<T> | undefined {
      const headStart = begun.get(name)
      headStart?.want()
      return headStart?.work
    },

    take(name: string): Promise<T> | undefined {
      const work = this.finish(name)
      clearTimeout(begun.get(name)?.forget)
      begun.delete(name)
      return work
    },
  }
}
