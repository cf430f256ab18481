import { readClientLog } from '../load/clientLog.js'
import type { Driver } from '../load/createDriver.js'
import type { SoakResult } from '../SoakResult.js'
import { quantile } from './recovery.js'

/** What clients saw while there were faults. */
export function summariseLoad(driver: Driver, clientLog: string, ms: number, signIns: number): SoakResult['load'] {
  const times = readClientLog(clientLog).map((line) => line.ms)
  const statuses: Record<string, number> = {}
  for (const { status } of driver.attempts) statuses[status] = (statuses[status] ?? 0) + 1
  const seconds = Math.round(ms / 1000)
  const [p50, p95, p99, max] = [0.5, 0.95, 0.99, 1].map((share) => quantile(times, share))
  return {
    ...driver.state,
    seconds,
    perSecond: Math.round((driver.state.acknowledged / seconds) * 10) / 10,
    latencyMs: { p50: p50 ?? null, p95: p95 ?? null, p99: p99 ?? null, max: max ?? null },
    statuses,
    signIns,
  }
}
