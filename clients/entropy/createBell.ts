/** Lets a loop sleep until the next tick, or until somebody needs it sooner. A ring while nobody sleeps is kept. */
export function createBell(): { ring(): void; wait(ms: number): Promise<void> } {
  let rung = false
  let wake: (() => void) | null = null
  return {
    ring() {
      rung = true
      wake?.()
    },
    async wait(ms) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      wake = null
      rung = false
    },
  }
}

/** Wakes everybody who waits. */
export function createSignal(): { send(): void; wait(ms: number): Promise<void> } {
  const waiting = new Set<() => void>()
  return {
    send() {
      for (const wake of waiting) wake()
    },
    async wait(ms) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer)
          waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        waiting.add(wake)
      })
    },
  }
}
