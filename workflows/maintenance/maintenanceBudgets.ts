import type { ActivityOptions } from '@temporalio/workflow'
import { taskQueues } from '@perigee/core/workflow'

/** The schedule drops a run while the one before is open, so no activity may wait forever. */
const daily: ActivityOptions = {
  heartbeatTimeout: '10s', // how a killed worker is noticed
  retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '5m' },
}

/* Timeouts and retries of the jobs that keep the records, with their reasons. */

export const maintenanceBudgets = {
  // The next run comes in a day, so this one outlasts an outage of hours.
  pinAuditHead: {
    ...daily,
    taskQueue: taskQueues.publish,
    startToCloseTimeout: '1h', // the first check reads the whole log; later ones a day of it
    scheduleToCloseTimeout: '6h',
    summary: 'check the audit log since its last anchor, and pin its head',
  },
  publishAuditHead: {
    ...daily,
    taskQueue: taskQueues.chain,
    startToCloseTimeout: '1h', // a congested chain; it comes once a day
    scheduleToCloseTimeout: '6h',
    summary: 'publish the head and follow it to depth',
  },
  // What is left after ten minutes is for the next run.
  deleteExpired: {
    ...daily,
    taskQueue: taskQueues.publish,
    startToCloseTimeout: '10m',
    scheduleToCloseTimeout: '20m',
    summary: 'delete what the rules no longer keep',
  },
} satisfies Record<string, ActivityOptions>
