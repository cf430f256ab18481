import { isCancellation, proxyActivities } from '@temporalio/workflow'
import type { OrphanCursor, RepairResult } from '@perigee/core/workflow'
import type { ChainActivities } from '../../activities/publishing/createChainActivities.js'
import type { OrphanActivities } from '../../activities/publishing/createOrphanActivities.js'
import type { PinActivities } from '../../activities/publishing/createPinActivities.js'
import { repairBudgets, repairLimits } from '../publishing/publishingBudgets.js'

const { reopenReorged } = proxyActivities<ChainActivities>(repairBudgets.reopenReorged)
const { restartOrphans } = proxyActivities<OrphanActivities>(repairBudgets.restartOrphans)
const { repairPins } = proxyActivities<PinActivities>(repairBudgets.repairPins)

/** At most this many slugs of a kind are named in the result. */
const named = 20

/**
 * Run by a schedule: reopens proofs whose block a reorg removed, gives a workflow to every unfinished proof that has none,
 * and puts lost pins back. A failure in one of the three does not stop the others.
 */
export async function repairProofs(): Promise<RepairResult> {
  const result: RepairResult = { seen: 0, started: [], overdue: [], reopened: [], shortOfPins: [] }
  await unlessItFails(async () => {
    result.reopened = (await reopenReorged({ seconds: repairLimits.reorgSeconds })).slice(0, named)
  })
  await unlessItFails(async () => {
    let after: OrphanCursor | null = null
    do {
      const found: Awaited<ReturnType<typeof restartOrphans>> = await restartOrphans({ ...repairLimits.orphans, after })
      result.seen += found.seen
      result.started = [...result.started, ...found.started].slice(0, named)
      result.overdue = [...result.overdue, ...found.overdue].slice(0, named)
      after = found.next
    } while (after)
  })
  await unlessItFails(async () => {
    result.shortOfPins = (await repairPins(repairLimits.pins)).short.slice(0, named)
  })
  return result
}

/** A failure stays in this run's history, where the alert finds it; the next run tries again. */
async function unlessItFails(step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    if (isCancellation(error)) throw error
  }
}
