import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow'
import type { Duration } from '@temporalio/common'
import { taskQueues } from '@perigee/core/workflow'

/*
 * Every timeout and retry of the workflows, with its reason. Which failures are not retried is not said here: the error
 * catalogue decides, and the worker's interceptor marks them. Tests hand workflows shorter budgets as an argument.
 */

/** A caller waits: try again fast, and give up while the caller is still there (15 s). */
export const signBudget: LocalActivityOptions = {
  startToCloseTimeout: '6s', // entropy, enclave and verification take some 20 ms; a stuck one must leave room for another
  scheduleToCloseTimeout: '14s',
  retry: {
    initialInterval: '100ms',
    backoffCoefficient: 2,
    maximumInterval: '2s',
    // The supply has waited for a sample already. The caller is told at once when to ask again.
    nonRetryableErrorTypes: ['entropy_unavailable'],
  },
  summary: 'entropy, enclave, verification, records',
}

/** Signing in does not wait for it, and making a key is rare: more patience. */
export const provisionBudget: LocalActivityOptions = {
  startToCloseTimeout: '10s',
  scheduleToCloseTimeout: '60s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '5s' },
  summary: 'entropy, enclave, verification, record',
}

/** Only our own database: it is tried until it is back, because the state must not be lost. */
export const recordBudget: LocalActivityOptions = {
  startToCloseTimeout: '5s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
}

/** How long a killed worker can hold a publication up. */
export const publishTaskTimeout: Duration = '5s'

/**
 * The usual case, in the first workflow task and without a queue: nodes and a fast chain answer within a second. One
 * attempt; what it does not reach is left to the steps below, with all their patience. It must end well before the
 * workflow task would (`publishTaskTimeout`), and while it runs the workflow answers no query, so it is short.
 */
export const atOnceBudget: LocalActivityOptions = {
  startToCloseTimeout: '3500ms',
  retry: { maximumAttempts: 1 },
  summary: 'pin the receipt and publish its event, if that goes fast',
}
export const atOnceMs = 2_500

export interface PublishBudgets {
  pin: ActivityOptions
  chain: ActivityOptions
  /** How long a failed proof waits for an operator. */
  operatorWait: Duration
}

export const publishBudgets: PublishBudgets = {
  // IPFS nodes restart within minutes; after a quarter of an hour a person should know.
  pin: {
    taskQueue: taskQueues.publish,
    startToCloseTimeout: '45s',
    heartbeatTimeout: '10s', // a killed worker is noticed by it, in both steps
    scheduleToCloseTimeout: '15m',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
    summary: 'assemble the receipt, pin it, read it back',
  },
  // One attempt follows its transaction to the configured depth, so it may be long; a dead worker is noticed by the
  // missing heartbeat. Half an hour covers many blocks of a congested chain and a few fee bumps.
  chain: {
    taskQueue: taskQueues.chain,
    startToCloseTimeout: '30m',
    scheduleToCloseTimeout: '30m',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
    summary: 'publish the event and follow it to depth',
  },
  operatorWait: '30 days',
}

export const sweepBudget: ActivityOptions = {
  taskQueue: taskQueues.publish,
  startToCloseTimeout: '2m',
  heartbeatTimeout: '10s', // a killed worker is noticed by it
  retry: { initialInterval: '5s', maximumAttempts: 3 }, // the next sweep comes soon anyway
  summary: 'find proofs without a workflow',
}

export const vanishedBudget: ActivityOptions = {
  ...sweepBudget,
  taskQueue: taskQueues.chain,
  heartbeatTimeout: '20s',
  summary: 'look whether published blocks are still on the chain',
}

export const repairBudget: ActivityOptions = {
  ...sweepBudget,
  heartbeatTimeout: '10s',
  startToCloseTimeout: '4m',
  summary: 'see that blocks are still on the IPFS nodes',
}

export interface SweepLimits {
  vanishedSeconds: number
  minimumAgeSeconds: number
  overdueSeconds: number
  pins: { olderThanSeconds: number; limit: number }
}

export const sweepLimits: SweepLimits = {
  pins: { olderThanSeconds: 24 * 60 * 60, limit: 200 }, // every block is looked at daily, up to 57,000 of them
  vanishedSeconds: 60 * 60, // deeper reorganisations than an hour are a matter for people
  minimumAgeSeconds: 60, // a signing workflow starts its child within a second, or a crashed one within a few
  overdueSeconds: 2 * 60 * 60, // pin and chain budgets together, twice
}
