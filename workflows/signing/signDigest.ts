import { allHandlersFinished, condition, defineUpdate, proxyLocalActivities, setHandler } from '@temporalio/workflow'
import { messages, type CommittedSignature, type SignDigestInput, type SigningRequest } from '@perigee/core/workflow'
import type { EntropyActivities } from '../../activities/evidence/createEntropyActivities.js'
import type { QuoteActivities } from '../../activities/evidence/createQuoteActivities.js'
import type { SigningActivities } from '../../activities/signing/createSigningActivities.js'
import { signBudgets } from './signingBudgets.js'
import { asApplicationFailure } from '../failures.js'
import { startPublishing } from '../publishing/startPublishing.js'

const signUpdate = defineUpdate<Pick<CommittedSignature, 'signature' | 'slug'>>(messages.sign)

const { fetchEntropy } = proxyLocalActivities<EntropyActivities>(signBudgets.fetchEntropy)
const { signInEnclave } = proxyLocalActivities<SigningActivities>(signBudgets.signInEnclave)
const { verifyQuote } = proxyLocalActivities<QuoteActivities>(signBudgets.verifyQuote)
const { recordSignature } = proxyLocalActivities<SigningActivities>(signBudgets.recordSignature)

/** Signs one transaction. `signMessage` is the other workflow of this shape. */
export async function signDigest(input: SignDigestInput): Promise<void> {
  await signAndPublish({ kind: 'transaction', ...input })
}

/**
 * Signs and sees the publication started. Callers wait in the `sign` Update and are answered in the first workflow task,
 * once the signature and the intent to publish are committed; concurrent callers share the run.
 */
export async function signAndPublish(request: SigningRequest): Promise<void> {
  const signing = sign(request).catch((error: unknown) => {
    throw asApplicationFailure(error)
  })
  const answer = async () => {
    const { signature, slug } = await signing
    return { signature, slug }
  }
  setHandler(signUpdate, answer, { description: 'Waits for the signature and the slug of its proof.' })
  try {
    await startPublishing(await signing)
  } finally {
    await condition(allHandlersFinished) // every waiting caller is answered before the run ends
  }
}

/**
 * The evidence (some 20 kB) travels from step to step through history, encrypted like every payload. All of it becomes
 * public in the receipt, except a message and its signature, which nobody decodes. It is simpler, and
 * not measurably slower. A table keyed by hash would be a second store to fill and to clean up.
 */
async function sign(request: SigningRequest): Promise<CommittedSignature> {
  const found = await fetchEntropy(request)
  if ('signed' in found) return found.signed
  const { sample: entropy, key } = found
  const signed = await signInEnclave({ ...request, entropy, key })
  const { sealedKey: _, ...names } = key
  const attested = { ...request, ...names, entropy, nonce: signed.nonce }
  const verified = await verifyQuote({ kind: 'sign', request: attested, answer: signed.answer })
  return recordSignature({ ...request, entropy, key, signed, verified })
}
