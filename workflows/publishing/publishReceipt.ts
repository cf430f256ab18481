import { proxyActivities } from '@temporalio/workflow'
import type { ProofStatus } from '@perigee/core/proof'
import type { PublishReceiptInput } from '@perigee/core/workflow'
import type { BroadcastActivities } from '../../activities/publishing/createBroadcastActivities.js'
import type { ChainActivities } from '../../activities/publishing/createChainActivities.js'
import type { PinActivities } from '../../activities/publishing/createPinActivities.js'
import { describeFailure } from '../failures.js'
import { publishBudgets } from './publishingBudgets.js'
import { createOperatorDesk } from './operatorDesk.js'
import { trackProof } from './trackProof.js'

const { awaitBroadcast } = proxyActivities<BroadcastActivities>(publishBudgets.awaitBroadcast)
const { pinReceipt } = proxyActivities<PinActivities>(publishBudgets.pinReceipt)
const { publishOnchain } = proxyActivities<ChainActivities>(publishBudgets.publishOnchain)

/** Publishes one receipt, of a transaction, a message or a wallet's birth. Clients see its state; an operator may move it on after a failure. */
export async function publishReceipt(input: PublishReceiptInput): Promise<ProofStatus> {
  const { slug } = input
  const proof = trackProof(input)
  const desk = createOperatorDesk(proof)

  if (input.isRestart) await desk.reopen()
  await desk.untilDone('awaitBroadcast', () => awaitBroadcast(input))
  proof.describe(
    input.kind === 'birth'
      ? 'pinning the receipt to IPFS'
      : 'pinning the receipt to IPFS, once its wallet’s birth is pinned',
  )
  for (;;) {
    const { cid } = await desk.untilDone('pinReceipt', () => pinReceipt({ slug }))
    proof.enter('pending_onchain', { ipfsCid: cid })
    const place = await desk.untilDone('publishOnchain', () => publishUnlessOutdated(slug))
    if (place !== 'outdated') {
      proof.enter('complete', place)
      return 'complete'
    }
    // It waited too long for the chain: with newer collateral it is another receipt, under another CID.
    proof.enter('pending_pin', { ipfsCid: null })
  }
}

async function publishUnlessOutdated(slug: string) {
  try {
    return await publishOnchain({ slug })
  } catch (error) {
    if (describeFailure(error).code !== 'receipt_outdated') throw error
    return 'outdated' as const
  }
}
