import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { ensureSchedules } from '../../../temporal/index.js'

export interface ScheduledRun {
  workflowId: string
  /** Two runs within a second have the same workflow id. */
  runId: string
}

/** Starts a scheduled workflow now, as production does, by its schedule. */
export async function startBySchedule(client: Client, scheduleId: string): Promise<ScheduledRun> {
  await ensureSchedules(client)
  const schedule = client.schedule.getHandle(scheduleId)
  const runs = async (): Promise<ScheduledRun[]> => {
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
