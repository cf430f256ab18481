export type BreakerState = 'closed' | 'open' | 'half-open'

export interface Breaker {
  /** Half-open lets one attempt through; its outcome decides. */
  readonly state: BreakerState
  /** Milliseconds until an attempt is allowed; zero when one is. */
  waitMs(): number
  succeeded(): void
  /** A source that says when to come back is left alone until then, from the first failure on. */
  failed(retryAfterSeconds?: number): void
}

export interface BreakerOptions {
  now: () => number
  onChange: (state: BreakerState) => void
  failuresToOpen?: number
  firstPauseMs?: number
  maxPauseMs?: number
}

/** Stops asking a failing source for a while, twice as long after each failed new attempt. */
export function createBreaker(options: BreakerOptions): Breaker {
  const { now, onChange, failuresToOpen = 3, firstPauseMs = 1_000, maxPauseMs = 60_000 } = options
  let reported: BreakerState = 'closed'
  let failures = 0
  let openUntil = 0

  const current = (): BreakerState => (openUntil === 0 ? 'closed' : now() < openUntil ? 'open' : 'half-open')
  const report = (): BreakerState => {
    const state = current()
    if (state !== reported) {
      reported = state
      onChange(state)
    }
    return state
  }
  return {
    get state() {
      return report()
    },
    waitMs: () => (report() === 'open' ? openUntil - now() : 0),
    succeeded() {
      failures = 0
      openUntil = 0
      report()
    },
    failed(retryAfterSeconds) {
      report()
      failures += 1
      const doublings = Math.min(failures - failuresToOpen, 10)
      const pause = failures >= failuresToOpen ? Math.min(maxPauseMs, firstPauseMs * 2 ** doublings) : 0
      const asked = Math.min(retryAfterSeconds ?? 0, 86_400) * 1000
      if (pause > 0 || asked > 0) openUntil = now() + Math.max(pause, asked)
      report()
    },
  }
}
