import type { MetricMeter } from '@temporalio/common'
import type { Logger } from 'pino'
import type { DataSource } from 'typeorm'
import { readUsage, type UsageDay } from '../../database/index.js'
import { repeatEvery } from '../concurrency/repeatEvery.js'

const everyMs = 300_000

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

/** Updates the metrics of today's costs, in all and of the largest users, every few minutes. */
export function monitorUsage(database: DataSource, meter: MetricMeter, log: Logger) {
  const gauge = (name: string, description: string) => meter.createGauge(name, 'int', undefined, description)
  const inAll = gauge('perigee_usage_today', 'Costs of the proofs completed today (UTC)')
  const ofLargest = gauge('perigee_usage_today_largest', 'The same for the users with the largest costs, by rank')

  async function update(): Promise<void> {
    const midnight = new Date(new Date().toISOString().slice(0, 10))
    const today = await readUsage(database, midnight, new Date(midnight.getTime() + 86_400_000))
    for (const [what, measure] of Object.entries(measures)) {
      const values = today.map(measure).sort((one, other) => other - one)
      const sum = values.reduce((total, value) => total + value, 0)
      inAll.set(sum, { what })
      for (let rank = 0; rank < ranks; rank++) ofLargest.set(values[rank] ?? 0, { what, rank: rank + 1 })
    }
  }

  const repeated = repeatEvery(everyMs, update, (error) =>
    log.debug({ err: error }, 'the metrics of usage could not be updated'),
  )
  repeated.run()
  return repeated
}
