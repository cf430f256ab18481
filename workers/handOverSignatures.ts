import { ApplicationFailure } from '@temporalio/common'
import type { SigningActivities } from '../activities/signing/createSigningActivities.js'
import type { HandOver } from '../temporal/index.js'
import { signBudget } from '../workflows/budgets.js'
import { toApplicationFailure } from './translateErrors.js'

/** The same activities; what they commit, or refuse for good, callers in this process hear at once. */
export function handOverSignatures(signing: SigningActivities, handOver: HandOver): SigningActivities {
  return {
    async signTransaction(input) {
      try {
        const signed = await signing.signTransaction(input)
        handOver.give(input, { signature: signed.signature, slug: signed.slug })
        return signed
      } catch (error) {
        if (isFinal(error)) handOver.refuse(input, error)
        throw error
      }
    },
  }
}

/** Whether the workflow will not try again. */
function isFinal(error: unknown): boolean {
  const failure = toApplicationFailure(error)
  if (!(failure instanceof ApplicationFailure)) return false
  return failure.nonRetryable === true || !!signBudget.retry?.nonRetryableErrorTypes?.includes(failure.type ?? '')
}
