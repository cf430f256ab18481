import { cancellationSignal } from '@temporalio/activity'
import type { DataSource } from 'typeorm'
import { deleteExpired } from '../database/index.js'
import { whileHeartbeating } from './publishing/whileHeartbeating.js'

/** Below startToClose: what is left is for the next run. */
const withinMs = 8 * 60 * 1000

export function createRetentionActivities({ database }: { database: DataSource }) {
  return {
    /** Safe to retry: each batch is a statement of its own, and what is gone is not found again. */
    deleteExpired: (): Promise<Record<string, number>> =>
      whileHeartbeating(() => {
        const until = performance.now() + withinMs // monotonic: the time of day may jump
        const signal = cancellationSignal()
        return deleteExpired(database, () => (performance.now() < until && !signal.aborted ? 'go on' : 'stop'))
      }),
  }
}

export type RetentionActivities = ReturnType<typeof createRetentionActivities>
