export interface Runnable {
  run(): Promise<void>
  getState(): string
  shutdown(): void
}

/**
 * Runs workers that share connections until all of them have ended. One that fails stops the others, and they are waited
 * for: the caller then closes the database and the connection, which a signature under way still needs.
 */
export async function runTogether(workers: readonly Runnable[]): Promise<void> {
  const stop = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
  }
  const outcomes = await Promise.allSettled(workers.map((worker) => worker.run().finally(stop)))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
