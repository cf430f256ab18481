import { allHandlersFinished, condition, defineUpdate, proxyLocalActivities, setHandler } from '@temporalio/workflow'
import { messages, type SignDigestInput, type SignDigestResult } from '@perigee/core/workflow'
import type { SigningActivities } from '../activities/signing/createSigningActivities.js'
import { signBudget } from './budgets.js'
import { asApplicationFailure } from './failures.js'
import { startPublishing } from './startPublishing.js'

export const signUpdate = defineUpdate<SignDigestResult>(messages.sign)

const { signTransaction } = proxyLocalActivities<SigningActivities>(signBudget)

/**
 * Signs one digest and sees its publication started. Callers wait in the `sign` Update and are answered in the first
 * workflow task, once the signature and the intent to publish are committed; concurrent callers share the run.
 */
export async function signDigest(input: SignDigestInput): Promise<void> {
  const signing = signTransaction(input).catch((error: unknown) => {
    throw asApplicationFailure(error)
  })
  const answer = async () => {
    const { signature, slug } = await signing
    return { signature, slug }
  }
  setHandler(signUpdate, answer, { description: 'Waits for the signature and the name of its proof.' })
  try {
    // The activity starts the publication, unless the server did not answer it. A child is awaited: one that has not
    // started when its parent ends is never started, not even with ABANDON.
    const signed = await signing
    if (!signed.publishing) await startPublishing(signed)
  } finally {
    await condition(allHandlersFinished) // whoever waits is told before the run ends
  }
}
