import type { DataSource } from 'typeorm'
import { markAbandoned, markFailed, markRetried, type FailedStep } from '../../database/index.js'

/** Writes what a workflow decided to the record, which clients read when a proof has stopped. */
export function createRecordActivities({ database }: { database: DataSource }) {
  return {
    /**
     * Safe to retry, like the two below: each sets a state only from the states that may come before it. `went_on` when an attempt
     * that had run out of time finished the step after all.
     */
    recordFailure: async (step: FailedStep): Promise<'failed' | 'went_on'> =>
      (await markFailed(database, step)) ? 'failed' : 'went_on',
    recordRetry: ({ slug }: { slug: string }): Promise<void> => markRetried(database, slug),
    recordAbandoned: ({ slug }: { slug: string }): Promise<void> => markAbandoned(database, slug),
  }
}

export type RecordActivities = ReturnType<typeof createRecordActivities>
