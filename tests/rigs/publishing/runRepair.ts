import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import type { RepairResult } from '@perigee/core/workflow'
import { ensureSchedules, repairScheduleId } from '../../../temporal/index.js'

interface Run {
  workflowId: string
  /** Two runs within a second have the same workflow id. */
  runId: string
}

/** Starts `repairProofs` as production does, by its schedule. */
export async function startRepair(client: Client): Promise<Run> {
  await ensureSchedules(client)
  const schedule = client.schedule.getHandle(repairScheduleId)
  const runs = async (): Promise<Run[]> => {
    const { info } = await schedule.describe()
    return info.recentActions.flatMap(({ action }) =>
      action.type === 'startWorkflow'
        ? [{ workflowId: action.workflow.workflowId, runId: action.workflow.firstExecutionRunId }]
        : [],
    )
  }
  const before = new Set((await runs()).map(({ runId }) => runId))
  await schedule.trigger()
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(50)) {
    const started = (await runs()).find(({ runId }) => !before.has(runId))
    if (started) return started
  }
  throw new Error('the schedule started no run: is one still open?')
}

export async function runRepair(client: Client): Promise<RepairResult & Run> {
  const run = await startRepair(client)
  const result = (await client.workflow.getHandle(run.workflowId, run.runId).result()) as RepairResult
  return { ...result, ...run }
}
