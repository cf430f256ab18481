import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client'
import { taskQueues, workflowTypes } from '@perigee/core/workflow'

export const repairScheduleId = 'repair-proofs'

/** Creates the schedule of `repairProofs` unless it exists. An operator's changes to it (paused, other interval) stay. */
export async function ensureRepairSchedule(client: Client): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: repairScheduleId,
      spec: { intervals: [{ every: '5m' }], jitter: '30s' },
      // Runs do not pile up behind a slow one; after an outage one catches up, not dozens.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10m' },
      action: {
        type: 'startWorkflow',
        workflowType: workflowTypes.repairProofs,
        taskQueue: taskQueues.publish,
        args: [],
      },
      state: { note: 'Starts publishReceipt for unfinished proofs that have no workflow. See temporal/RUNBOOK.md.' },
    })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
  }
}
