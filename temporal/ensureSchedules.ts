import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client, type ScheduleSpec } from '@temporalio/client'
import { taskQueues, workflowTypes } from '@perigee/core/workflow'

export const repairScheduleId = 'repair-proofs'
export const anchorScheduleId = 'anchor-audit-log'
export const retentionScheduleId = 'apply-retention'

interface Job {
  scheduleId: string
  workflowType: keyof typeof workflowTypes
  spec: ScheduleSpec
  /** A run that was missed for longer is not caught up with. */
  catchupWindow: '10m' | '1d'
  note: string
}

const jobs: readonly Job[] = [
  {
    scheduleId: repairScheduleId,
    workflowType: 'repairProofs',
    spec: { intervals: [{ every: '5m' }], jitter: '30s' },
    catchupWindow: '10m',
    note: 'Starts publishReceipt for unfinished proofs that have no workflow. See temporal/RUNBOOK.md.',
  },
  {
    scheduleId: anchorScheduleId,
    workflowType: 'anchorAuditLog',
    spec: { intervals: [{ every: '1d', offset: '3h' }], jitter: '10m' },
    catchupWindow: '1d',
    note: 'Publishes the head of the audit log on IPFS and in the contract’s log. See docs/security.md.',
  },
  {
    scheduleId: retentionScheduleId,
    workflowType: 'applyRetention',
    spec: { intervals: [{ every: '1h' }], jitter: '5m' },
    catchupWindow: '10m',
    note: 'Deletes what the rules in docs/operations.md no longer keep.',
  },
]

/** Creates the schedules that do not exist. An operator's changes to one (paused, other interval) stay. */
export async function ensureSchedules(client: Client): Promise<void> {
  for (const { scheduleId, workflowType, spec, catchupWindow, note } of jobs) {
    try {
      await client.schedule.create({
        scheduleId,
        spec,
        // Runs do not pile up behind a slow one; after an outage one catches up, not dozens.
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
        action: {
          type: 'startWorkflow',
          workflowType: workflowTypes[workflowType],
          taskQueue: taskQueues.publish,
          args: [],
        },
        state: { note },
      })
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error
    }
  }
}
