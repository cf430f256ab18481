import type { EntropySample } from '@perigee/core/entropy'

/** The only operation that a sample ever serves. `id` must be the same when the operation runs again after a crash. */
export interface EntropyPurpose {
  kind: 'create' | 'sign'
  id: string
}

/** The supply as this worker sees it. Plain JSON: also what the `entropy_supply` row and /health/ready show. */
export interface SupplySnapshot {
  /** `ready`: samples are waiting. `low`: below a quarter of the target. `empty`: a request would have to wait. */
  state: 'ready' | 'low' | 'empty'
  level: number
  target: number
  /** Age in seconds of the oldest sample waiting; null when none is. */
  oldestAgeSeconds: number | null
  taken: number
  /** Requests that found nothing in time. */
  unavailable: number
  sources: Record<string, SourceSnapshot>
}

/** Of a source's circuit breaker: `closed` is healthy. */
export type BreakerState = 'closed' | 'open' | 'half-open'

export interface SourceSnapshot {
  state: BreakerState
  /** Null when it has no limit. */
  samplesPerDay: number | null
  fetched: number
  /** By error code. */
  failures: Record<string, number>
  lastFailure: string | null
}

export interface EntropySupply {
  /**
   * A fresh sample for one purpose. The same purpose again gets the same sample while it is fresh; a stale one is
   * retired (never given to another purpose) and replaced. Callers look for a stored signature first.
   * Throws `entropy_unavailable` with `retryAfterSeconds` when none came in time.
   */
  take(purpose: EntropyPurpose): Promise<EntropySample>
  /** Retires a sample that was refused as used: the purpose gets another next time. */
  retire(purpose: EntropyPurpose, sample: EntropySample): Promise<void>
  snapshot(): SupplySnapshot
  /** Starts fetching ahead. */
  start(): void
  /** Stops fetching and waits for what is under way. */
  stop(): Promise<void>
}
