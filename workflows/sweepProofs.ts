import { proxyActivities } from '@temporalio/workflow'
import type { SweepResult } from '@perigee/core/workflow'
import type { ChainActivities } from '../activities/publishing/createChainActivities.js'
import type { SweepActivities, SweepInput } from '../activities/publishing/createSweepActivities.js'
import { sweepBudget, sweepLimits, vanishedBudget } from './budgets.js'

const { sweep } = proxyActivities<SweepActivities>(sweepBudget)
const { findVanished } = proxyActivities<ChainActivities>(vanishedBudget)

/** Run by a schedule: finds proofs whose block has vanished, and gives a workflow to every unfinished proof that has none. */
export async function sweepProofs(
  limits: SweepInput & { vanishedSeconds?: number } = sweepLimits,
): Promise<SweepResult> {
  const vanished = await findVanished({ seconds: limits.vanishedSeconds ?? sweepLimits.vanishedSeconds })
  return { ...(await sweep(limits)), vanished: vanished.slice(0, 20) }
}
