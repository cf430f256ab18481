import { isCancellation, patched, proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { ProofStatus } from '@perigee/core/proof'
import type { PublishReceiptInput } from '@perigee/core/workflow'
import type { ChainActivities } from '../activities/publishing/createChainActivities.js'
import type { PinActivities } from '../activities/publishing/createPinActivities.js'
import type { AtOnceActivities, PublishedAtOnce } from '../activities/publishing/createAtOnceActivities.js'
import { atOnceBudget, atOnceMs, publishBudgets, type PublishBudgets } from './budgets.js'
import { createOperatorDesk } from './operatorDesk.js'
import { trackProof } from './trackProof.js'

const { publishAtOnce } = proxyLocalActivities<AtOnceActivities>(atOnceBudget)

/** Publishes one receipt. Clients see its state; an operator may move it on after a failure. */
export async function publishReceipt(
  input: PublishReceiptInput,
  budgets: PublishBudgets = publishBudgets,
): Promise<ProofStatus> {
  const { slug } = input
  const { pinReceipt } = proxyActivities<PinActivities>(budgets.pin)
  const { publishOnchain } = proxyActivities<ChainActivities>(budgets.chain)
  const proof = trackProof(input)
  const desk = createOperatorDesk(proof, budgets.operatorWait)

  // Runs that were open when this came (up to 30 days old) go on without it: see "Changing workflow code" in RUNBOOK.md.
  const reached = (input.atOnce ?? patched('publish-at-once')) ? await tryAtOnce(slug) : nothing
  if (reached.cid && reached.place) {
    proof.enter('complete', { ipfsCid: reached.cid, ...reached.place })
    return 'complete'
  }
  const cid = reached.cid ?? (await desk.untilDone('pending_pin', () => pinReceipt({ slug }))).cid
  proof.enter('pending_onchain', { ipfsCid: cid })
  const place = await desk.untilDone('pending_onchain', () => publishOnchain({ slug }))
  proof.enter('complete', place)
  return 'complete'
}

const nothing: PublishedAtOnce = { cid: null, place: null }

/** What went wrong is not looked at: the step that takes over meets it again, and has a budget and words for it. */
async function tryAtOnce(slug: string): Promise<PublishedAtOnce> {
  try {
    return await publishAtOnce({ slug, withinMs: atOnceMs })
  } catch (error) {
    if (isCancellation(error)) throw error
    return nothing
  }
}
