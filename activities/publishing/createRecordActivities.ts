import type { DataSource } from 'typeorm'
import { markAbandoned, markFailed, markRetried, type FailedStep } from '../../database/index.js'

/** Writes what a workflow decided to the record, which clients read when a proof has stopped. */
export function createRecordActivities({ database }: { database: DataSource }) {
  return {
    /** Safe to retry, like the two below: each sets a state only from the states that may come before it. */
    recordFailure: (step: FailedStep): Promise<void> => markFailed(database, step),
    recordRetry: ({ slug }: { slug: string }): Promise<void> => markRetried(database, slug),
    recordAbandoned: ({ slug }: { slug: string }): Promise<void> => markAbandoned(database, slug),
  }
}

export type RecordActivities = ReturnType<typeof createRecordActivities>
