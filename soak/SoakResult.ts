import type { CheckReport } from './check/main.js'
import type { SoakOptions } from './parseArguments.js'
import type { BacklogResult } from './phases/drainBacklog.js'
import type { RollingResult } from './phases/rollingRestarts.js'
import type { AfterFault } from './report/afterFaults.js'
import type { Recovery } from './report/recovery.js'

/** The result of a run. `problems` is empty when every promise was kept. */
export interface SoakResult {
  options: SoakOptions
  takenAt: string
  timeline: string
  /** How often each kind of fault happened. */
  faults: Record<string, number>
  load: {
    asked: number
    acknowledged: number
    gaveUp: number
    /** Transactions that reached the chain, and those left unsent on purpose or because the node was away. */
    sent: number
    unsent: number
    seconds: number
    perSecond: number
    /** From the first request to the answer, retries included. */
    latencyMs: { p50: number | null; p95: number | null; p99: number | null; max: number | null }
    /** Answers by HTTP status, over all attempts; 0 is no answer. */
    statuses: Record<string, number>
    signIns: number
  }
  recovery: Recovery[]
  afterFaults: AfterFault[]
  quietSeconds: number
  rolling: RollingResult | null
  backlog: BacklogResult | null
  check: CheckReport
  memoryMb: Record<string, number>
  diskMb: Record<string, number>
  problems: string[]
}
