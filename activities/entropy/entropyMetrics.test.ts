import { expect, test } from 'vitest'
import { entropyMetrics } from './entropyMetrics.js'

test('writes level, age, and failures by source in the Prometheus text format', () => {
  const text = entropyMetrics({
    ...{ state: 'low', level: 3, target: 64, oldestAgeSeconds: 12, taken: 9, unavailable: 1 },
    sources: { sat: { state: 'open', fetched: 12, failures: { entropy_invalid: 2 }, lastFailure: 'entropy_invalid' } },
  })
  for (const line of [
    'perigee_entropy_supply_level 3',
    'perigee_entropy_supply_oldest_age_seconds 12',
    'perigee_entropy_failures_total{source="sat",code="entropy_invalid"} 2',
    'perigee_entropy_source_state{source="sat",state="open"} 1',
    'perigee_entropy_source_state{source="sat",state="closed"} 0',
  ]) {
    expect(text.split('\n')).toContain(line)
  }
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) \S+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? (NaN|[0-9.]+))$/)
  }
})
