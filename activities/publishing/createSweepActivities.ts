import type { DataSource } from 'typeorm'
import type { PublishReceiptInput, SweepResult } from '@perigee/core/workflow'
import { findPublishedFailures, findUnfinished } from '../../database/index.js'
import { whileHeartbeating } from './whileHeartbeating.js'

export interface SweepDeps {
  database: DataSource
  /** Starts `publishReceipt` unless it runs; true when it had to be started. One that has failed is told to try again. */
  startPublishing: (input: PublishReceiptInput, hasFailed?: boolean) => Promise<boolean>
}

type SweepFound = Pick<SweepResult, 'seen' | 'started' | 'overdue'>

export interface SweepInput {
  /** Younger proofs are left alone: their signing workflow may be just about to start them. */
  minimumAgeSeconds: number
  /** Older than this is overdue: both budgets are spent and the proof should be terminal. */
  overdueSeconds: number
}

const batch = 500
const named = 20

export function createSweepActivities({ database, startPublishing }: SweepDeps) {
  return {
    /** Safe to retry: a publication that runs is not started again, and one that ended finds its record and goes on. */
    sweep: ({ minimumAgeSeconds, overdueSeconds }: SweepInput): Promise<SweepFound> =>
      whileHeartbeating(async () => {
        const result: SweepFound = { seen: 0, started: [], overdue: [] }
        for (const { waitingSeconds, ...proof } of await findUnfinished(database, minimumAgeSeconds, batch)) {
          result.seen++
          if ((await startPublishing(proof)) && result.started.length < named) result.started.push(proof.slug)
          if (waitingSeconds > overdueSeconds && result.overdue.length < named) result.overdue.push(proof.slug)
        }
        // Their event is there, and the chain must not contradict what they show: congestion may outlast a budget.
        for (const proof of await findPublishedFailures(database, batch)) {
          result.seen++
          await startPublishing(proof, true)
        }
        return result
      }),
  }
}

export type SweepActivities = ReturnType<typeof createSweepActivities>
