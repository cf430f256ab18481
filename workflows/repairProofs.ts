import { isCancellation, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { RepairResult } from '@perigee/core/workflow'
import type { ChainActivities } from '../activities/publishing/createChainActivities.js'
import type { OrphanActivities, OrphansFound } from '../activities/publishing/createOrphanActivities.js'
import type { PinActivities } from '../activities/publishing/createPinActivities.js'
import { repairBudgets, repairLimits } from './budgets.js'

const { reopenReorged } = proxyActivities<ChainActivities>(repairBudgets.reopenReorged)
const { restartOrphans } = proxyActivities<OrphanActivities>(repairBudgets.restartOrphans)
const { repairPins } = proxyActivities<PinActivities>(repairBudgets.repairPins)

/**
 * Run by a schedule: reopens proofs whose block a reorg removed, gives a workflow to every unfinished proof that has none,
 * and puts lost pins back. A failure in one of the three does not stop the others.
 */
export async function repairProofs(): Promise<RepairResult> {
  const { reorgSeconds, pins, ...orphans } = repairLimits
  const reopened = await reopenReorged({ seconds: reorgSeconds }).catch(unlessCancelled<string[]>([]))
  const after = lastResult()?.next ?? null // of the run before, by the same schedule
  const found = await restartOrphans({ ...orphans, after }).catch(
    unlessCancelled<OrphansFound>({ seen: 0, started: [], overdue: [], next: after }),
  )
  const repaired = await repairPins(pins).catch(unlessCancelled({ short: [] as string[] }))
  return { ...found, reopened: reopened.slice(0, 20), shortOfPins: repaired.short.slice(0, 20) }
}

const lastResult = () => workflowInfo().lastResult as RepairResult | undefined

function unlessCancelled<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (isCancellation(error)) throw error
    return instead // the failure is in this run's history; the next run tries again
  }
}
