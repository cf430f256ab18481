import { Client, type ScheduleHandle } from '@temporalio/client'
import type { StackFile } from '../dev/stack/stackFile.js'
import { connectTemporal } from '../dev/stack/stackTemporal.js'
import { repairScheduleId } from '../temporal/index.js'

/** Runs the repairs, which look for reorgs and orphans, more often than every five minutes, as an operator may. */
export function repairOften(stack: StackFile, seconds: number): Promise<void> {
  const spec = { intervals: [{ every: `${seconds}s` as const }] }
  return withSchedule(stack, (schedule) => schedule.update((before) => ({ ...before, spec })))
}

export function repairNow(stack: StackFile): Promise<void> {
  return withSchedule(stack, (schedule) => schedule.trigger())
}

async function withSchedule(stack: StackFile, work: (schedule: ScheduleHandle) => Promise<void>): Promise<void> {
  const connection = await connectTemporal(stack)
  try {
    await work(new Client({ connection, namespace: stack.namespace }).schedule.getHandle(repairScheduleId))
  } finally {
    await connection.close()
  }
}
