import type { LocalActivityOptions } from '@temporalio/workflow'

/* Timeouts and retries, with their reasons. Which failures are final, the error catalogue says (workers/interceptors/translateErrors.ts). */

/** A caller waits: retry fast, and give up while the caller is still there (15 s). */
export const whileCallerWaits: LocalActivityOptions = {
  startToCloseTimeout: '4s', // each step takes milliseconds; a stuck one must leave room for another attempt
  scheduleToCloseTimeout: '12s',
  retry: {
    initialInterval: '100ms',
    backoffCoefficient: 2,
    maximumInterval: '2s',
    // A retry would fail in the same way: the supply has already waited for a sample, a used sample stays used, the
    // report that came with the request stays expired, and stale collateral has already been requested again.
    nonRetryableErrorTypes: ['entropy_unavailable', 'entropy_reused', 'coordinator_expired', 'collateral_stale'],
  },
}

export const signBudgets = {
  fetchEntropy: { ...whileCallerWaits, summary: 'fresh satellite entropy for this signature' },
  signInEnclave: { ...whileCallerWaits, summary: 'the enclave decodes, signs and quotes' },
  verifyQuote: { ...whileCallerWaits, summary: 'quote, collateral, build, binding and signer' },
  recordSignature: { ...whileCallerWaits, summary: 'signature, evidence and intent to publish, one commit' },
} satisfies Record<string, LocalActivityOptions>
