import type { LocalActivityOptions } from '@temporalio/workflow'
import { whileCallerWaits } from '../signing/signingBudgets.js'

/* As in signingBudgets.ts, for the workflows that make, hand over and seal keys. */

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
  recordWallet: { ...patiently, summary: 'wallet, evidence of its birth and intent to publish, one commit' },
} satisfies Record<string, LocalActivityOptions>

export const resealBudgets = {
  resealKeyInEnclave: { ...patiently, summary: 'the enclave seals the key under the new version, and quotes' },
  verifyQuote: { ...patiently, summary: 'quote, collateral, build and binding' },
  recordReseal: { ...patiently, summary: 'sealed key and evidence, one commit' },
} satisfies Record<string, LocalActivityOptions>
