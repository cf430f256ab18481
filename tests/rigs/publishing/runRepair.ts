import type { Client } from '@temporalio/client'
import type { RepairResult } from '@perigee/core/workflow'
import { repairScheduleId } from '../../../temporal/index.js'
import { startBySchedule, type ScheduledRun } from './startBySchedule.js'

export const startRepair = (client: Client): Promise<ScheduledRun> => startBySchedule(client, repairScheduleId)

export async function runRepair(client: Client): Promise<RepairResult & ScheduledRun> {
  const run = await startRepair(client)
  const result = (await client.workflow.getHandle(run.workflowId, run.runId).result()) as RepairResult
  return { ...result, ...run }
}
