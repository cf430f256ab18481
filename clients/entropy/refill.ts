import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import { verifyEntropySample, type EntropyTrust } from '@perigee/core/entropy'
import { reserveRequest, storeSamples, type NewSample } from '../../database/index.js'
import type { Breaker } from './createBreaker.js'
import type { EntropySource } from './EntropySource.js'

/** A source with what this worker knows about it. */
export interface TrackedSource {
  source: EntropySource
  breaker: Breaker
  fetched: number
  /** Failures by error code. */
  failures: Record<string, number>
  lastFailure: string | null
  /** When its limits allow the next request; milliseconds since 1970. */
  limitedUntil: number
}

export interface RefillDeps {
  database: DataSource
  trust: EntropyTrust
  target: number
  now: () => number
  onFailure: (tracked: TrackedSource, error: unknown) => void
}

/**
 * Fills the supply towards its target, from the first source that can. A later source is asked only when every earlier
 * one failed, or is at its limit while nothing is left. Returns the new level. Below the minimum level nothing is stored.
 */
export async function refill(deps: RefillDeps, sources: readonly TrackedSource[], level: number): Promise<number> {
  for (const tracked of sources) {
    level = await refillFrom(deps, tracked, level)
    const limited = tracked.limitedUntil > deps.now()
    if (level >= aheadOf(tracked.source, deps) || (level > 0 && limited)) break
  }
  return level
}

/** How many samples to hold ahead: never more of a capped source than its share of the day, or idling would use it up. */
export function aheadOf(source: EntropySource, deps: Pick<RefillDeps, 'target' | 'trust'>): number {
  const { samplesPerDay, ahead } = source.limits
  const share = samplesPerDay === null ? Infinity : Math.floor((samplesPerDay * deps.trust.freshnessSeconds) / 86_400)
  return Math.max(1, Math.min(deps.target, ahead ?? Infinity, share))
}

async function refillFrom(deps: RefillDeps, tracked: TrackedSource, level: number): Promise<number> {
  const { source, breaker } = tracked
  for (;;) {
    const wanted = aheadOf(source, deps) - level
    if (wanted <= 0 || breaker.waitMs() > 0 || tracked.limitedUntil > deps.now()) return level
    const booked = await reserveRequest(deps.database, source.name, Math.min(wanted, source.maxBatch), source.limits)
    if (booked.samples === 0) {
      tracked.limitedUntil = deps.now() + booked.retryAfterSeconds * 1000
      return level
    }
    try {
      const stored = await fetchVerified(deps, source, booked.samples)
      breaker.succeeded()
      if (stored === 0) return level
      tracked.fetched += stored
      level += stored
    } catch (error) {
      const code = error instanceof ServiceError ? error.code : 'internal_error'
      tracked.failures[code] = (tracked.failures[code] ?? 0) + 1
      tracked.lastFailure = code
      const retryAfter = error instanceof ServiceError ? error.facts.retryAfterSeconds : undefined
      breaker.failed(typeof retryAfter === 'number' ? retryAfter : undefined)
      deps.onFailure(tracked, error)
      return level
    }
  }
}

/** One batch: fetched, every sample verified, stored. One bad sample spoils its batch: the source is not to be believed now. */
async function fetchVerified(deps: RefillDeps, source: EntropySource, count: number): Promise<number> {
  const samples = await source.fetch(count)
  const batch: NewSample[] = []
  for (const sample of samples) {
    const { freshUntil } = await verifyEntropySample(sample, deps.trust, Math.floor(deps.now() / 1000))
    batch.push({ sample, freshUntil })
  }
  const outcome = await storeSamples(deps.database, batch)
  const facts = { source: source.name }
  if (outcome === 'rolled-back') {
    throw new ServiceError('entropy_invalid', `${source.name} went back behind its own sequence`, facts)
  }
  if (outcome === 'repeated') {
    throw new ServiceError('entropy_reused', `${source.name} repeated a value or a sequence it gave before`, facts)
  }
  return batch.length
}
