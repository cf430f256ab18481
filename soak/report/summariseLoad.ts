import type { Acknowledged } from '../load/acknowledge.js'
import type { Driver } from '../load/createDriver.js'
import { quantile } from '../../tests/quantile.js'
import { countEach } from './table.js'

/** What clients saw while there were faults. */
export function summariseLoad(driver: Driver, acknowledged: readonly Acknowledged[], ms: number, signIns: number) {
  const times = acknowledged.map((line) => line.ms)
  const seconds = Math.round(ms / 1000)
  return {
    ...driver.state,
    seconds,
    perSecond: Math.round((driver.state.acknowledged / seconds) * 10) / 10,
    /** From the first request to the answer, retries included. */
    latencyMs: {
      p50: quantile(times, 0.5),
      p95: quantile(times, 0.95),
      p99: quantile(times, 0.99),
      max: quantile(times, 1),
    },
    /** Answers by HTTP status, over all attempts; 0 is no answer. */
    statuses: countEach(driver.attempts.map(({ status }) => status)),
    signIns,
  }
}

/** Answers by status, for people. */
export const byStatus = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ')
