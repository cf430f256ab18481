import { ApplicationFailure } from '@temporalio/common'
import type { Signing, SigningActivities, SignedTransaction } from '../activities/signing/createSigningActivities.js'
import type { SignDigestInput } from '@perigee/core/workflow'
import type { HandOver } from '../temporal/index.js'
import { signBudget } from '../workflows/budgets.js'
import { toApplicationFailure } from './translateErrors.js'

/**
 * The same activities; what they commit, or refuse for good, callers in this process hear at once. Those callers have their
 * signatures begun and finished here, before the activity comes for them.
 */
export function handOverSignatures(signing: Signing, handOver: HandOver): SigningActivities {
  const give = (input: SignDigestInput, { signature, slug }: SignedTransaction) =>
    handOver.give(input, { signature, slug })
  handOver.early = {
    begin: signing.begin,
    // One that fails is told by the activity, which may try again.
    finish: (input) =>
      void signing
        .finish(input)
        ?.then((signed) => give(input, signed))
        .catch(() => undefined),
  }
  return {
    async signTransaction(input) {
      try {
        const signed = await signing.signTransaction(input)
        give(input, signed)
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
