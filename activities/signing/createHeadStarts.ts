/** At once, and for how long: whoever comes for one comes within milliseconds, or not at all. */
const atMost = 16
const keptMs = 5_000

interface HeadStart<T> {
  work: Promise<T>
  want: () => void
  isWanted: boolean
  forget: NodeJS.Timeout
}

/**
 * Work that is begun before it is certain that it will be wanted. What nobody wants is forgotten; what fails is told to
 * whoever takes it up.
 */
export function createHeadStarts<T>() {
  const begun = new Map<string, HeadStart<T>>()
  return {
    /** `start` waits for `wanted` before it does what cannot be undone. */
    begin(name: string, start: (wanted: Promise<void>) => Promise<T>): void {
      if (begun.size >= atMost || begun.has(name)) return
      let want = () => undefined as void
      const work = start(new Promise<void>((resolve) => (want = resolve)))
      work.catch(() => undefined)
      const forget = setTimeout(() => begun.delete(name), keptMs).unref()
      begun.set(name, { work, want, isWanted: false, forget })
    },

    /** It is wanted now, and somebody will take it up. */
    finish(name: string): Promise<T> | undefined {
      const headStart = begun.get(name)
      if (!headStart) return undefined
      headStart.isWanted = true
      headStart.want()
      return headStart.work
    },

    /** What somebody wants and nobody has taken up yet. */
    wanted(name: string): Promise<T> | undefined {
      const headStart = begun.get(name)
      return headStart?.isWanted ? headStart.work : undefined
    },

    take(name: string): Promise<T> | undefined {
      const work = this.finish(name)
      clearTimeout(begun.get(name)?.forget)
      begun.delete(name)
      return work
    },
  }
}
