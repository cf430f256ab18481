import { proxyActivities } from '@temporalio/workflow'
import type { SweepResult } from '@perigee/core/workflow'
import type { SweepActivities, SweepInput } from '../activities/publishing/createSweepActivities.js'
import { sweepBudget, sweepLimits } from './budgets.js'

const { sweep } = proxyActivities<SweepActivities>(sweepBudget)

/** Run by a schedule: gives a workflow to every unfinished proof that has none. */
export function sweepProofs(limits: SweepInput = sweepLimits): Promise<SweepResult> {
  return sweep(limits)
}
