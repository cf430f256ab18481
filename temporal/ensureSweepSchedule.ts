import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client'
import { taskQueues, workflowTypes } from '@perigee/core/workflow'

export const sweepScheduleId = 'sweep-proofs'

/** Creates the schedule of the sweep unless it is there. An operator's changes to it (paused, other interval) are kept. */
export async function ensureSweepSchedule(client: Client): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: sweepScheduleId,
      spec: { intervals: [{ every: '5m' }], jitter: '30s' },
      // A sweep that hangs must not gather others behind it; after an outage one catches up, not dozens.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10m' },
      action: {
        type: 'startWorkflow',
        workflowType: workflowTypes.sweepProofs,
        taskQueue: taskQueues.publish,
        args: [],
      },
      state: { note: 'Starts publishReceipt for unfinished proofs that have no workflow. See temporal/RUNBOOK.md.' },
    })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
  }
}
