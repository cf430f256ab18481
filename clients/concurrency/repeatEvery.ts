/**
 * Runs `work` at this interval, one run after another. A failure goes to `onFailure`, and the next run tries again: what
 * is done here is reported elsewhere when it cannot be done for long.
 */
export function repeatEvery(everyMs: number, work: () => Promise<void>, onFailure: (error: unknown) => void) {
  let running: Promise<void> = Promise.resolve()
  let isDue = false

  /** Runs once more: now, or after the run in progress. At most one run waits. */
  function run(): void {
    if (isDue) return
    isDue = true
    running = running
      .then(() => {
        isDue = false
        return work()
      })
      .catch(onFailure)
  }

  const timer = setInterval(run, everyMs)
  return {
    run,
    /** Resolves when the run in progress has ended. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}
