import type { MetricMeter } from '@temporalio/common'
import type { SupplySnapshot } from './supply/keepFilled.js'

const breakerStates = ['closed', 'half-open', 'open'] as const

/**
 * Reports each snapshot of the supply as metrics: level, age, what was taken, and by source what was fetched, what
 * failed and the state of its breaker. A Temporal worker's meter puts them beside its own, on one Prometheus address.
 */
export function createEntropyMeter(meter: MetricMeter): (snapshot: SupplySnapshot) => void {
  const gauge = (name: string, text: string, unit?: string) =>
    meter.createGauge(`perigee_entropy_${name}`, 'int', unit, text)
  const level = gauge('supply_level', 'Fresh samples waiting')
  const target = gauge('supply_target', 'Samples to hold ahead')
  const age = gauge('supply_oldest_age', 'Age of the oldest sample waiting', 's')
  const state = gauge('source_state', 'Circuit breaker of a source: 1 for the state it is in')
  const counter = (name: string, text: string) => {
    const metric = meter.createCounter(`perigee_entropy_${name}`, undefined, text)
    const told = new Map<string, number>()
    /** Snapshots hold totals, a counter takes what was added since. */
    return (total: number, tags: Record<string, string> = {}): void => {
      const key = JSON.stringify(tags)
      metric.add(total - (told.get(key) ?? 0), tags)
      told.set(key, total)
    }
  }
  const taken = counter('taken', 'Samples given to an operation')
  const unavailable = counter('unavailable', 'Requests that found no sample in time')
  const fetched = counter('fetched', 'Samples verified and stored')
  const failures = counter('failures', 'Failures by error code')

  return (snapshot) => {
    level.set(snapshot.level)
    target.set(snapshot.target)
    age.set(snapshot.oldestAgeSeconds ?? 0)
    taken(snapshot.taken)
    unavailable(snapshot.unavailable)
    for (const [source, seen] of Object.entries(snapshot.sources)) {
      fetched(seen.fetched, { source })
      for (const [code, count] of Object.entries(seen.failures)) failures(count, { source, code })
      for (const each of breakerStates) state.set(each === seen.state ? 1 : 0, { source, state: each })
    }
  }
}
