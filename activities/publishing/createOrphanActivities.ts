import { heartbeat, activityInfo } from '@temporalio/activity'
import type { DataSource } from 'typeorm'
import type { OrphanCursor, PublishReceiptInput, RepairResult } from '@perigee/core/workflow'
import { findPublishedFailures, findUnfinished } from '../../database/index.js'

export interface OrphanDeps {
  database: DataSource
  /** Starts `publishReceipt` unless it runs; true when it had to be started. `retry` tells one that has failed to try again. */
  startPublishing: (input: PublishReceiptInput, open?: 'retry') => Promise<boolean>
}

export interface OrphansFound extends Pick<RepairResult, 'seen' | 'started' | 'overdue'> {
  /** Null when every unfinished proof was looked at. */
  next: OrphanCursor | null
}

export interface OrphanLimits {
  /** Younger proofs are left alone: their signing workflow may be about to start them. */
  minimumAgeSeconds: number
  /** Older than this is overdue: both budgets are spent and the proof should be terminal. */
  overdueSeconds: number
  /** How long one call may look; the next one continues after it. */
  withinMs: number
  page: number
}

const named = 20

export function createOrphanActivities({ database, startPublishing }: OrphanDeps) {
  return {
    /**
     * Starts the publication of unfinished proofs that have no workflow, page by page from `after`, oldest first. When time
     * is up it returns where to go on, so that many old proofs cannot keep newer ones from being looked at.
     * Safe to retry: a publication that runs is not started again, and one that ended finds its record and goes on.
     */
    async restartOrphans(limits: OrphanLimits & { after: OrphanCursor | null }): Promise<OrphansFound> {
      const until = Date.now() + limits.withinMs
      const found: OrphansFound = { seen: 0, started: [], overdue: [], next: null }
      const resumed = activityInfo().heartbeatDetails as OrphanCursor | undefined
      for (let after = resumed ?? limits.after; ;) {
        heartbeat(after ?? undefined)
        const proofs = await findUnfinished(database, limits.minimumAgeSeconds, limits.page, after)
        for (const { waitingSeconds, createdAt, ...proof } of proofs) {
          found.seen++
          if ((await startPublishing(proof)) && found.started.length < named) found.started.push(proof.slug)
          if (waitingSeconds > limits.overdueSeconds && found.overdue.length < named) found.overdue.push(proof.slug)
          after = { createdAt, slug: proof.slug }
          heartbeat(after)
        }
        if (proofs.length < limits.page) break
        if (Date.now() < until) continue
        found.next = after
        break
      }
      // Their event is on the chain, which must not contradict what they show: congestion may outlast a budget.
      for (const proof of await findPublishedFailures(database, limits.page)) {
        found.seen++
        await startPublishing(proof, 'retry')
        heartbeat()
      }
      return found
    },
  }
}

export type OrphanActivities = ReturnType<typeof createOrphanActivities>
