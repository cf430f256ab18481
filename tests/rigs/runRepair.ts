import type { Client } from '@temporalio/client'
import type { RepairResult } from '@perigee/core/workflow'
import { ensureRepairSchedule, repairScheduleId } from '../../temporal/index.js'

/** Runs `repairProofs` as production does, by its schedule, and waits for it. */
export async function startRepair(client: Client): Promise<string> {
  await ensureRepairSchedule(client)
  const schedule = client.schedule.getHandle(repairScheduleId)
  const runs = async () => {
    const { info } = await schedule.describe()
    return info.recentActions.flatMap(({ action }) =>
      action.type === 'startWorkflow' ? [action.workflow.workflowId] : [],
    )
  }
  const before = new Set(await runs())
  await schedule.trigger()
  for (;;) {
    const started = (await runs()).find((id) => !before.has(id))
    if (started) return started
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export async function runRepair(client: Client): Promise<RepairResult & { workflowId: string }> {
  const workflowId = await startRepair(client)
  const result = (await client.workflow.getHandle(workflowId).result()) as RepairResult
  return { ...result, workflowId }
}
