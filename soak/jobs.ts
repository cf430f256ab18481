import { randomUUID } from 'node:crypto'
import type { ScheduleHandle } from '@temporalio/client'
import { taskQueues, workflowTypes } from '@perigee/core/workflow'
import { repairScheduleId } from '../temporal/index.js'
import { withTemporal, type TemporalPlace } from './withTemporal.js'

/** Runs the repairs, which look for reorgs and orphans, more often than every five minutes, as an operator may. */
export function repairOften(stack: TemporalPlace, seconds: number): Promise<void> {
  const spec = { intervals: [{ every: `${seconds}s` as const }] }
  return withRepairs(stack, (schedule) => schedule.update((before) => ({ ...before, spec })))
}

export const repairNow = (stack: TemporalPlace): Promise<void> => withRepairs(stack, (schedule) => schedule.trigger())

const withRepairs = (stack: TemporalPlace, work: (schedule: ScheduleHandle) => Promise<void>): Promise<void> =>
  withTemporal(stack, ({ schedule }) => work(schedule.getHandle(repairScheduleId)))

/** Starts a scheduled job by hand, under an id of its own: its last run may still be recovering. */
export async function startJob(stack: TemporalPlace, job: 'anchorAuditLog' | 'applyRetention'): Promise<void> {
  const options = { workflowId: `${job}/${randomUUID()}`, taskQueue: taskQueues.publish }
  await withTemporal(stack, ({ workflow }) => workflow.start(workflowTypes[job], options))
}
