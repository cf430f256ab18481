import type { LocalActivityOptions } from '@temporalio/workflow'

/* Timeouts and retries, with their reasons. Which failures are final, the error catalogue says (workers/translateErrors.ts). */

/** A caller waits: retry fast, and give up while the caller is still there (15 s). */
const whileCallerWaits: LocalActivityOptions = {
  startToCloseTimeout: '4s', // each step takes milliseconds; a stuck one must leave room for another attempt
  scheduleToCloseTimeout: '12s',
  retry: {
    initialInterval: '100ms',
    backoffCoefficient: 2,
    maximumInterval: '2s',
    // The supply has waited for a sample already, a sample that was refused is not refused less a second time, and the
    // report that came with the request does not get younger. Stale collateral has been asked for again already.
    nonRetryableErrorTypes: ['entropy_unavailable', 'entropy_reused', 'coordinator_expired', 'collateral_stale'],
  },
}

export const signBudgets = {
  fetchEntropy: { ...whileCallerWaits, summary: 'fresh satellite entropy for this signature' },
  signInEnclave: { ...whileCallerWaits, summary: 'the enclave decodes, signs and quotes' },
  verifyQuote: { ...whileCallerWaits, summary: 'quote, collateral, build, binding and signer' },
  recordSignature: { ...whileCallerWaits, summary: 'signature, evidence and intent to publish, one commit' },
} satisfies Record<string, LocalActivityOptions>

export const ownersBudgets = {
  changeOwnersInEnclave: { ...whileCallerWaits, summary: 'the enclave checks who agreed, seals again, and quotes' },
  verifyQuote: { ...whileCallerWaits, summary: 'quote, collateral, build and binding' },
  recordOwners: { ...whileCallerWaits, summary: 'sealed key and owners, unless another change was faster' },
} satisfies Record<string, LocalActivityOptions>

/** Sign-in does not wait for it, and making a key is rare: more patience. */
const patiently: LocalActivityOptions = {
  startToCloseTimeout: '10s',
  scheduleToCloseTimeout: '60s',
  retry: {
    initialInterval: '200ms',
    backoffCoefficient: 2,
    maximumInterval: '5s',
    nonRetryableErrorTypes: ['entropy_reused', 'coordinator_expired', 'collateral_stale'],
  },
}

export const provisionBudgets = {
  fetchEntropy: { ...patiently, summary: 'fresh satellite entropy for this key' },
  createKeyInEnclave: { ...patiently, summary: 'the enclave makes and seals a key, and quotes' },
  verifyQuote: { ...patiently, summary: 'quote, collateral, build and binding' },
  recordWallet: { ...patiently, summary: 'wallet, sealed key and evidence, one commit' },
} satisfies Record<string, LocalActivityOptions>

export const resealBudgets = {
  resealKeyInEnclave: { ...patiently, summary: 'the enclave seals the key under the new version, and quotes' },
  verifyQuote: { ...patiently, summary: 'quote, collateral, build and binding' },
  recordReseal: { ...patiently, summary: 'sealed key and evidence, one commit' },
} satisfies Record<string, LocalActivityOptions>
