import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import { verifyEntropySample, type EntropyTrust } from '@perigee/core/entropy'
import { reserveRequest, storeSamples, type NewSample } from '../../../database/index.js'
import type { EntropySource } from '../EntropySource.js'
import type { TrackedSource } from '../trackSource.js'

interface RefillDeps {
  database: DataSource
  trust: EntropyTrust
  target: number
  now: () => number
}

/**
 * Fills the supply towards its target, from the first source that can. Asks a later source only when every earlier one
 * failed, or is at its limit while nothing is left. Returns the new level. Stores nothing below the minimum provenance.
 */
export async function refill(deps: RefillDeps, sources: readonly TrackedSource[], level: number): Promise<number> {
  for (const tracked of sources) {
    level = await refillFrom(deps, tracked, level)
    const isLimited = tracked.limitedUntil > deps.now()
    if (level >= aheadOf(tracked.source, deps) || (level > 0 && isLimited)) break
  }
  return level
}

/** How many samples to hold ahead: of a capped source only its share of the day, or an idle service would use it up. */
export function aheadOf(source: EntropySource, deps: Pick<RefillDeps, 'target' | 'trust'>): number {
  const { samplesPerDay, ahead } = source.limits
  const share = samplesPerDay === null ? Infinity : Math.floor((samplesPerDay * deps.trust.freshnessSeconds) / 86_400)
  return Math.max(1, Math.min(deps.target, ahead ?? Infinity, share))
}

async function refillFrom(deps: RefillDeps, tracked: TrackedSource, level: number): Promise<number> {
  const { source } = tracked
  for (;;) {
    const wanted = aheadOf(source, deps) - level
    if (wanted <= 0 || tracked.waitMs() > 0 || tracked.limitedUntil > deps.now()) return level
    const booked = await reserveRequest(deps.database, source.name, Math.min(wanted, source.maxBatch), source.limits)
    if (booked.samples === 0) {
      tracked.limitedUntil = deps.now() + booked.retryAfterSeconds * 1000
      return level
    }
    const stored = await tracked.attempt(() => fetchVerified(deps, source, booked.samples))
    if (!stored) return level
    level += stored
  }
}

/** Fetches, verifies and stores one batch. One bad sample spoils it: the source is not to be believed now. */
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
    throw new ServiceError('entropy_invalid', `${source.name} went back in its own sequence`, facts)
  }
  if (outcome === 'repeated') {
    throw new ServiceError('entropy_reused', `${source.name} repeated a value or a sequence it gave before`, facts)
  }
  return batch.length
}
