import { heartbeat } from '@temporalio/activity'

/** Well below the heartbeat timeouts in workflows/publishing/publishingBudgets.ts. */
const everyMs = 2_000

/** Tells Temporal that this process lives for as long as `work` runs, so that a killed worker is noticed in seconds. */
export async function whileHeartbeating<T>(work: () => Promise<T>): Promise<T> {
  heartbeat()
  const timer = setInterval(() => heartbeat(), everyMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
