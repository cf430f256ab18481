/**
 * One piece of work for all who wait for the same thing in this process: the proofs of a batch follow one transaction.
 * It goes on for as long as anybody waits; when the last one has gone away, `signal` ends it.
 */
export function createSharedWork<K extends { id: string }, T>(work: (on: K, signal: AbortSignal) => Promise<T>) {
  const running = new Map<string, { result: Promise<T>; waiting: number; stop: AbortController }>()

  return async (on: K, gone: Promise<never>): Promise<T> => {
    const key = on.id
    let shared = running.get(key)
    if (!shared) {
      const stop = new AbortController()
      const started = { result: work(on, stop.signal), waiting: 0, stop }
      const forget = () => void (running.get(key) === started && running.delete(key)) // who comes later starts anew
      started.result.then(forget, forget)
      running.set(key, started)
      shared = started
    }
    shared.waiting++
    try {
      return await Promise.race([shared.result, gone])
    } finally {
      if (--shared.waiting === 0) {
        shared.stop.abort()
        if (running.get(key) === shared) running.delete(key)
      }
    }
  }
}

/**
 * Runs one piece of work at a time, in the order of asking; who is gone when the turn comes is passed over. Work that
 * takes long asks `isGone` from time to time, and ends.
 */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return async <T>(gone: Promise<never>, work: (isGone: () => boolean) => Promise<T>): Promise<T> => {
    let left = false
    gone.catch(() => (left = true))
    const turn = last.then(() => (left ? undefined : work(() => left)))
    last = turn.catch(() => undefined)
    return (await Promise.race([turn, gone])) as T
  }
}

/** Resolves after a while, at once when the signal says so. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
