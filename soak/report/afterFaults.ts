import type { TimelineEvent } from '../chaos/timeline.js'
import type { Acknowledged } from '../load/acknowledge.js'
import type { Attempt } from '../load/createDriver.js'
import { quantile } from '../../tests/quantile.js'
import { componentOf, faultsIn } from './recovery.js'

/**
 * What clients saw between one kind of fault and the next fault: every request belongs to the fault before it, so that
 * each slow or refused one has a reason. Times are those of signatures first asked for then, retries included.
 */
export function measureAfterFaults(
  events: readonly TimelineEvent[],
  attempts: readonly Attempt[],
  acknowledged: readonly Acknowledged[],
) {
  const faults = faultsIn(events)
  /** `refused`: answers other than 200, by status; 0 is no answer. */
  const rows = new Map<string, { times: number; ms: number[]; refused: Record<string, number> }>()
  const rowOf = (name: string) => {
    const row = rows.get(name) ?? { times: 0, ms: [], refused: {} }
    rows.set(name, row)
    return row
  }
  for (const fault of faults) rowOf(nameOf(fault)).times++
  const before = (at: number) => {
    const fault = faults.findLast((one) => one.at <= at)
    return rowOf(fault ? nameOf(fault) : none)
  }
  for (const { at, ms } of acknowledged) before(Date.parse(at) - ms).ms.push(ms)
  for (const { to, status } of attempts) {
    if (status === 200) continue
    const { refused } = before(to)
    refused[status] = (refused[status] ?? 0) + 1
  }
  return [...rows].sort().map(([fault, { times, ms, refused }]) => {
    return { fault, times, p50Ms: quantile(ms, 0.5), p95Ms: quantile(ms, 0.95), refused }
  })
}

const none = '(before the first)'

function nameOf({ kind, target = '' }: TimelineEvent): string {
  if (kind === 'kill') return `kill ${componentOf(target)}`
  return kind === 'link' ? `network ${target}` : kind
}
