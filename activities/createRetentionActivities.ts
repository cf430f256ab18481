import { heartbeat } from '@temporalio/activity'
import type { DataSource } from 'typeorm'
import { deleteExpired } from '../database/index.js'

/** Below startToClose: what is left is for the next run. */
const withinMs = 8 * 60 * 1000

export function createRetentionActivities({ database }: { database: DataSource }) {
  return {
    /** Safe to retry: each batch is a statement of its own, and what is gone is not found again. */
    async deleteExpired(): Promise<Record<string, number>> {
      const until = Date.now() + withinMs
      return deleteExpired(database, () => {
        heartbeat()
        return Date.now() < until ? 'go on' : 'stop'
      })
    },
  }
}

export type RetentionActivities = ReturnType<typeof createRetentionActivities>
