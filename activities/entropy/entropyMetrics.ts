import type { SupplySnapshot } from './EntropySupply.js'

const breakerStates = ['closed', 'half-open', 'open'] as const

/** The supply in Prometheus' text format. Source names and codes come from our own catalogue, so labels stay few and safe. */
export function entropyMetrics(snapshot: SupplySnapshot): string {
  const sources = Object.entries(snapshot.sources)
  const family = (name: string, type: 'gauge' | 'counter', help: string, samples: readonly string[]): string =>
    [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((sample) => `${name}${sample}`)].join('\n')
  return (
    [
      family('perigee_entropy_supply_level', 'gauge', 'Fresh samples waiting.', [` ${snapshot.level}`]),
      family('perigee_entropy_supply_target', 'gauge', 'Samples to hold ahead.', [` ${snapshot.target}`]),
      family('perigee_entropy_supply_oldest_age_seconds', 'gauge', 'Age of the oldest sample waiting.', [
        ` ${snapshot.oldestAgeSeconds ?? 'NaN'}`,
      ]),
      family('perigee_entropy_taken_total', 'counter', 'Samples given to an operation.', [` ${snapshot.taken}`]),
      family('perigee_entropy_unavailable_total', 'counter', 'Requests that found no sample in time.', [
        ` ${snapshot.unavailable}`,
      ]),
      family(
        'perigee_entropy_fetched_total',
        'counter',
        'Samples verified and stored, by source.',
        sources.map(([name, { fetched }]) => `{source="${name}"} ${fetched}`),
      ),
      family(
        'perigee_entropy_failures_total',
        'counter',
        'Failures by source and error code.',
        sources.flatMap(([name, { failures }]) =>
          Object.entries(failures).map(([code, count]) => `{source="${name}",code="${code}"} ${count}`),
        ),
      ),
      family(
        'perigee_entropy_source_state',
        'gauge',
        'Circuit breaker of a source: 1 for the state it is in.',
        sources.flatMap(([name, { state }]) =>
          breakerStates.map((each) => `{source="${name}",state="${each}"} ${each === state ? 1 : 0}`),
        ),
      ),
    ].join('\n') + '\n'
  )
}
