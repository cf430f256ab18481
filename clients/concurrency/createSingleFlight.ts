import { untilAborted } from './untilAborted.js'

/**
 * One run of `work` per id, shared by every caller in this process: the proofs of a batch follow one transaction.
 * `signal` aborts the run when the last caller has left.
 */
export function createSingleFlight<K extends { id: string }, T>(work: (on: K, signal: AbortSignal) => Promise<T>) {
  const running = new Map<string, { result: Promise<T>; callers: number; stop: AbortController }>()

  function start(on: K) {
    const stop = new AbortController()
    const run = { result: work(on, stop.signal), callers: 0, stop }
    const forget = () => void (running.get(on.id) === run && running.delete(on.id))
    run.result.then(forget, forget)
    running.set(on.id, run)
    return run
  }

  return async (on: K, signal: AbortSignal): Promise<T> => {
    const run = running.get(on.id) ?? start(on)
    run.callers++
    try {
      return await untilAborted(run.result, signal)
    } finally {
      if (--run.callers === 0) {
        run.stop.abort()
        if (running.get(on.id) === run) running.delete(on.id) // later callers start a new run
      }
    }
  }
}
