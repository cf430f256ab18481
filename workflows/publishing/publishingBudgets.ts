import type { Duration } from '@temporalio/common'
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow'
import { taskQueues } from '@perigee/core/workflow'

/* Timeouts and retries of publishing and repairing, with their reasons. */

/** Only our own database: it is tried until it is back, because the state must not be lost. */
export const recordBudget: LocalActivityOptions = {
  startToCloseTimeout: '5s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
}

export const publishBudgets = {
  // Bounded by PUBLISH_UNSENT_AFTER, a day at most; this ends it if the database stays away for longer than that.
  awaitBroadcast: {
    taskQueue: taskQueues.chain,
    startToCloseTimeout: '30s',
    heartbeatTimeout: '10s',
    scheduleToCloseTimeout: '25h',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
    summary: 'wait until the chain has seen the transaction; a birth has none',
  },
  // IPFS nodes restart within minutes; after a quarter of an hour a person should know.
  pinReceipt: {
    taskQueue: taskQueues.publish,
    startToCloseTimeout: '45s',
    heartbeatTimeout: '10s', // how a killed worker is noticed, in every step
    scheduleToCloseTimeout: '15m',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
    summary: 'assemble the receipt, pin it, read it back',
  },
  // One attempt follows its transaction to the configured depth, so it may be long; a dead worker is noticed by the
  // missing heartbeat. Half an hour covers many blocks of a congested chain and a few fee bumps.
  publishOnchain: {
    taskQueue: taskQueues.chain,
    startToCloseTimeout: '30m',
    scheduleToCloseTimeout: '30m',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
    summary: 'publish the event and follow it to depth',
  },
} satisfies Record<string, ActivityOptions>

/** How long a failed proof waits for an operator. */
export const operatorWait: Duration = '30 days'

/**
 * The schedule drops a run while the one before is open, so no activity may wait forever: each has a schedule-to-close
 * timeout, also when no worker serves its queue.
 */
const repair: ActivityOptions = {
  taskQueue: taskQueues.publish,
  startToCloseTimeout: '4m',
  scheduleToCloseTimeout: '300s',
  heartbeatTimeout: '20s',
  retry: { initialInterval: '5s', maximumAttempts: 3 }, // the next run comes soon anyway
}

export const repairBudgets = {
  reopenReorged: { ...repair, taskQueue: taskQueues.chain, summary: 'are published blocks still on the chain' },
  restartOrphans: { ...repair, summary: 'start proofs that have no workflow' },
  repairPins: { ...repair, summary: 'are blocks still on the IPFS nodes' },
} satisfies Record<string, ActivityOptions>

export const repairLimits = {
  reorgSeconds: 60 * 60, // reorgs deeper than an hour are for people to handle
  orphans: {
    minimumAgeSeconds: 60, // a signing workflow starts its child within a second, or a crashed one within a few
    overdueSeconds: 2 * 60 * 60, // all budgets of a publication together, twice
    withinMs: 3 * 60 * 1000, // below startToClose: a longer search is several activities
    page: 500,
  },
  pins: { olderThanSeconds: 24 * 60 * 60, limit: 200 }, // every block is looked at daily, up to 57,000 of them
}
