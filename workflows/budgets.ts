import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow'
import type { Duration } from '@temporalio/common'
import { taskQueues } from '@perigee/core/workflow'

/*
 * Every timeout and retry of the workflows, with its reason. Which failures are not retried is not said here: the error
 * catalogue decides, and the worker's interceptor marks them.
 */

/** A caller waits: retry fast, and give up while the caller is still there (15 s). */
const whileCallerWaits: LocalActivityOptions = {
  startToCloseTimeout: '4s', // each step takes milliseconds; a stuck one must leave room for another attempt
  scheduleToCloseTimeout: '12s',
  retry: {
    initialInterval: '100ms',
    backoffCoefficient: 2,
    maximumInterval: '2s',
    // The supply has waited for a sample already, and a sample that was refused is not refused less a second time.
    nonRetryableErrorTypes: ['entropy_unavailable', 'entropy_reused'],
  },
}

export const signBudgets = {
  fetchEntropy: { ...whileCallerWaits, summary: 'fresh satellite entropy for this signature' },
  signInEnclave: { ...whileCallerWaits, summary: 'the enclave decodes, signs and quotes' },
  verifyQuote: { ...whileCallerWaits, summary: 'quote, collateral, build, binding and signer' },
  recordSignature: { ...whileCallerWaits, summary: 'signature, evidence and intent to publish, one commit' },
} satisfies Record<string, LocalActivityOptions>

/** Sign-in does not wait for it, and making a key is rare: more patience. */
const patiently: LocalActivityOptions = {
  startToCloseTimeout: '10s',
  scheduleToCloseTimeout: '60s',
  retry: {
    initialInterval: '200ms',
    backoffCoefficient: 2,
    maximumInterval: '5s',
    nonRetryableErrorTypes: ['entropy_reused'],
  },
}

export const provisionBudgets = {
  fetchEntropy: { ...patiently, summary: 'fresh satellite entropy for this key' },
  createKeyInEnclave: { ...patiently, summary: 'the enclave makes and seals a key, and quotes' },
  verifyQuote: { ...patiently, summary: 'quote, collateral, build and binding' },
  recordWallet: { ...patiently, summary: 'wallet, sealed key and evidence, one commit' },
} satisfies Record<string, LocalActivityOptions>

/** Only our own database: it is tried until it is back, because the state must not be lost. */
export const recordBudget: LocalActivityOptions = {
  startToCloseTimeout: '5s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
}

/** How long a killed worker can hold a publication up. */
export const publishTaskTimeout: Duration = '5s'

export const publishBudgets = {
  // Bounded by PUBLISH_UNSENT_AFTER, a day at most; this ends it if the database stays away for longer than that.
  awaitBroadcast: {
    taskQueue: taskQueues.chain,
    startToCloseTimeout: '30s',
    heartbeatTimeout: '10s',
    scheduleToCloseTimeout: '25h',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
    summary: 'wait until the chain has seen the transaction',
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
