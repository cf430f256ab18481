import {
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleAll,
  isBrokenCircuitError,
} from 'cockatiel'
import type { Logger } from 'pino'
import { ServiceError } from '@perigee/core'
import type { EntropySource } from './EntropySource.js'

const failuresToOpen = 3
const firstPauseMs = 1_000
const maxPauseMs = 60_000
const maxRetryAfterSeconds = 86_400

const stateNames = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
} as const

/**
 * A source with its circuit breaker and what this worker counts about it. The circuit opens after three failures in a
 * row, then twice as long after each failed new attempt. A source that says when to come back is left alone until then,
 * from the first failure on.
 */
export function trackSource(
  source: EntropySource,
  { now, log }: { now: () => number; log: Pick<Logger, 'info' | 'warn'> },
) {
  const counters = { fetched: 0, failures: {} as Record<string, number>, lastFailure: null as string | null }
  let pausedUntil = 0
  const pauseFor = (ms: number) => void (pausedUntil = Math.max(pausedUntil, now() + ms))

  const breaker = circuitBreaker(handleAll, {
    breaker: new ConsecutiveBreaker(failuresToOpen),
    halfOpenAfter: new DelegateBackoff(({ attempt }: { attempt: number }) => {
      const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (attempt - 1))
      pauseFor(pauseMs)
      return pauseMs
    }),
  })
  breaker.onStateChange((changed) => {
    const state = stateNames[changed]
    log[state === 'closed' ? 'info' : 'warn']({ source: source.name, state }, 'entropy source changed state')
  })

  return {
    source,
    /** When its limits allow the next request; milliseconds since 1970. */
    limitedUntil: 0,
    /** Milliseconds until it may be asked again after failures; zero when it may be asked now. */
    waitMs: () => Math.max(0, pausedUntil - now()),
    /** Runs `work`, which returns the number of samples it stored. Null when it failed, or the circuit is open. */
    async attempt(work: () => Promise<number>): Promise<number | null> {
      try {
        const stored = await breaker.execute(work)
        counters.fetched += stored
        return stored
      } catch (error) {
        if (isBrokenCircuitError(error)) return null
        const { code, facts } = error instanceof ServiceError ? error : { code: 'internal_error', facts: {} as never }
        counters.failures[code] = (counters.failures[code] ?? 0) + 1
        counters.lastFailure = code
        const retryAfter: unknown = facts['retryAfterSeconds']
        if (typeof retryAfter === 'number') pauseFor(Math.min(retryAfter, maxRetryAfterSeconds) * 1000)
        log.warn({ source: source.name, code, facts, err: error }, 'entropy source failed')
        return null
      }
    },
    /** `closed` is healthy; failures are by error code. */
    snapshot: () => ({
      ...counters,
      state: stateNames[breaker.state],
      /** Null when it has no limit. */
      samplesPerDay: source.limits.samplesPerDay,
      failures: { ...counters.failures },
    }),
  }
}

export type TrackedSource = ReturnType<typeof trackSource>
