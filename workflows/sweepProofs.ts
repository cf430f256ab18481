import { isCancellation, proxyActivities } from '@temporalio/workflow'
import type { SweepResult } from '@perigee/core/workflow'
import type { ChainActivities } from '../activities/publishing/createChainActivities.js'
import type { PinActivities } from '../activities/publishing/createPinActivities.js'
import type { SweepActivities } from '../activities/publishing/createSweepActivities.js'
import { repairBudget, sweepBudget, sweepLimits, vanishedBudget, type SweepLimits } from './budgets.js'

const { sweep } = proxyActivities<SweepActivities>(sweepBudget)
const { repairPins } = proxyActivities<PinActivities>(repairBudget)
const { reopenReorged } = proxyActivities<ChainActivities>(vanishedBudget)

/**
 * Run by a schedule: finds proofs whose block has vanished, gives a workflow to every unfinished proof that has none, and
 * looks after pins. What fails in one of the three does not keep the others from being done.
 */
export async function sweepProofs(limits: Partial<SweepLimits> = {}): Promise<SweepResult> {
  const { vanishedSeconds, pins, ...ages } = { ...sweepLimits, ...limits }
  const vanished = await reopenReorged({ seconds: vanishedSeconds }).catch(unlessCancelled([]))
  const swept = await sweep(ages)
  const repaired = await repairPins(pins).catch(unlessCancelled({ held: 0, short: [] }))
  return { ...swept, vanished: vanished.slice(0, 20), shortOfPins: repaired.short.slice(0, 20) }
}

function unlessCancelled<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (isCancellation(error)) throw error
    return instead // the failure is in this run's history; the next run tries again
  }
}
