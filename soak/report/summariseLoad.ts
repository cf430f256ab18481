import { readClientLog } from '../load/clientLog.js'
import type { Driver } from '../load/createDriver.js'
import { quantile } from '../../tests/quantile.js'

/** What clients saw while there were faults. */
export function summariseLoad(driver: Driver, clientLog: string, ms: number, signIns: number) {
  const times = readClientLog(clientLog).map((line) => line.ms)
  const statuses: Record<string, number> = {}
  for (const { status } of driver.attempts) statuses[status] = (statuses[status] ?? 0) + 1
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
    statuses,
    signIns,
  }
}

/** Answers by status, for people. */
export const byStatus = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ')
