import { noopMetricMeter, type MetricMeter } from '@temporalio/common'
import type { UsageDay } from '../../database/index.js'

/** How many of the largest users are shown, by rank. Ids would be too many labels; `npm run ops -- usage` names them. */
const ranks = 3

const gwei = 1_000_000_000n

/** What is counted, by the name of its label. */
const measures: Record<string, (day: UsageDay) => number> = {
  proofs: ({ transactions, messages, births }) => transactions + messages + births,
  gas_gwei: ({ gasWei }) => Number(gasWei / gwei),
  pins: ({ pins }) => pins,
  entropy: ({ entropy }) => entropy,
  cpu_ms: ({ cpuMs }) => Math.round(cpuMs),
}

/** Today's costs, in all and of the largest users, on the worker's Prometheus page. */
export function createUsageMeter(meter: MetricMeter = noopMetricMeter) {
  const inAll = meter.createGauge('perigee_usage_today', 'int', undefined, 'Costs of the proofs completed today (UTC)')
  const ofLargest = meter.createGauge(
    'perigee_usage_today_largest',
    'int',
    undefined,
    'The same for the users with the largest costs, by rank',
  )
  return (today: readonly UsageDay[]): void => {
    for (const [what, measure] of Object.entries(measures)) {
      const values = today.map(measure).sort((one, other) => other - one)
      inAll.set(
        values.reduce((sum, value) => sum + value, 0),
        { what },
      )
      for (let rank = 0; rank < ranks; rank++) ofLargest.set(values[rank] ?? 0, { what, rank: rank + 1 })
    }
  }
}
