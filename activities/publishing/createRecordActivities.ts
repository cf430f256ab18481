import type { DataSource } from 'typeorm'
import { markAbandoned, markFailed, markRetried, type FailedStep } from '../../database/index.js'

/** Mirrors what a workflow decides into the record, which is what clients read when a proof has stopped moving. */
export function createRecordActivities({ database }: { database: DataSource }) {
  return {
    /** Safe to retry, like its neighbours: each sets a state from the states it may follow. */
    recordFailure: (step: FailedStep): Promise<void> => markFailed(database, step),
    recordRetry: ({ slug }: { slug: string }): Promise<void> => markRetried(database, slug),
    recordAbandoned: ({ slug }: { slug: string }): Promise<void> => markAbandoned(database, slug),
  }
}

export type RecordActivities = ReturnType<typeof createRecordActivities>
