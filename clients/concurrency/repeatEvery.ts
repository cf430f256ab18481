/**
 * Runs `work` at this interval, one run after another. A failure goes to `onFailure`, and the next run tries again: what
 * is done here is reported elsewhere when it cannot be done for long.
 */
export function repeatEvery(everyMs: number, work: () => Promise<void>, onFailure: (error: unknown) => void) {
  let running: Promise<void> = Promise.resolve()
  /** Runs once more, now. */
  const run = (): void => void (running = running.then(work).catch(onFailure))
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
