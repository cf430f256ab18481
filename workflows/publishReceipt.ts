import { proxyActivities } from '@temporalio/workflow'
import type { ProofStatus } from '@perigee/core/proof'
import type { PublishReceiptInput } from '@perigee/core/workflow'
import type { ChainActivities } from '../activities/publishing/createChainActivities.js'
import type { PinActivities } from '../activities/publishing/createPinActivities.js'
import { publishBudgets, type PublishBudgets } from './budgets.js'
import { createOperatorDesk } from './operatorDesk.js'
import { trackProof } from './trackProof.js'

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

  const { cid } = await desk.untilDone('pending_pin', () => pinReceipt({ slug }))
  proof.enter('pending_onchain', { ipfsCid: cid })
  const place = await desk.untilDone('pending_onchain', () => publishOnchain({ slug }))
  proof.enter('complete', place)
  return 'complete'
}
