/** At once, and for how long: whoever comes for one comes within milliseconds, or not at all. */
const atMost = 16
const keptMs = 5_000

/** Work that is begun before whoever needs it has come. What nobody takes up is forgotten; what fails is told to the taker. */
export function createHeadStarts<T>() {
  const begun = new Map<string, { work: Promise<T>; forget: NodeJS.Timeout }>()
  return {
    begin(name: string, start: () => Promise<T>): void {
      if (begun.size >= atMost || begun.has(name)) return
      const work = start()
      work.catch(() => undefined)
      begun.set(name, { work, forget: setTimeout(() => begun.delete(name), keptMs).unref() })
    },

    take(name: string): Promise<T> | undefined {
      const headStart = begun.get(name)
      if (!headStart) return undefined
      clearTimeout(headStart.forget)
      begun.delete(name)
      return headStart.work
    },
  }
}
