import type { EntropySample } from '@perigee/core/entropy'
import type { BreakerState } from './createBreaker.js'

/** The one operation a sample serves, for ever. `id` must be the same again when the operation is re-run after a crash. */
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

export interface SourceSnapshot {
  /** Of the circuit breaker: `closed` is healthy. */
  state: BreakerState
  fetched: number
  /** By error code. */
  failures: Record<string, number>
  lastFailure: string | null
}

export interface EntropySupply {
  /**
   * A fresh sample for one purpose. The same purpose again gets the same sample while it is fresh; a stale one is
   * retired (never given to anybody else) and replaced. Callers look for a stored signature first.
   * Throws `entropy_unavailable` with `retryAfterSeconds` when none came in time.
   */
  take(purpose: EntropyPurpose): Promise<EntropySample>
  /** Says that the sample was refused as used: the purpose gets another next time, and nobody gets this one. */
  retire(purpose: EntropyPurpose, sample: EntropySample): Promise<void>
  snapshot(): SupplySnapshot
  /** Starts fetching ahead. */
  start(): void
  /** Stops fetching and waits for what is under way. */
  stop(): Promise<void>
}
