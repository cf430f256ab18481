import {
  allHandlersFinished,
  condition,
  defineQuery,
  defineUpdate,
  ParentClosePolicy,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  startChild,
  upsertSearchAttributes,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow'
import {
  proofAttributes,
  proofKeys,
  taskQueues,
  workflowIds,
  workflowTaskTimeout,
  type PublishReceiptInput,
  type SignDigestInput,
} from '@perigee/core/workflow'
import { publishBudgets } from '../../workflows/publishing/publishingBudgets.js'
import { signBudgets } from '../../workflows/signing/signingBudgets.js'
import type { ShapeActivities } from './shapeActivities.js'

const signUpdate = defineUpdate<{ signature: string; slug: string }>('sign')
const proofQuery = defineQuery<string>('proof')

const { fetchEntropy } = proxyLocalActivities<ShapeActivities>(signBudgets.fetchEntropy)
const { signInEnclave } = proxyLocalActivities<ShapeActivities>(signBudgets.signInEnclave)
const { verifyQuote } = proxyLocalActivities<ShapeActivities>(signBudgets.verifyQuote)
const { recordSignature } = proxyLocalActivities<ShapeActivities>(signBudgets.recordSignature)
const { awaitBroadcast } = proxyActivities<ShapeActivities>(publishBudgets.awaitBroadcast)
const { pinReceipt } = proxyActivities<ShapeActivities>(publishBudgets.pinReceipt)
const { publishOnchain } = proxyActivities<ShapeActivities>(publishBudgets.publishOnchain)

/** The least a workflow can cost. */
export async function noop(): Promise<void> {}

/** With nothing in its steps: four local activities, the answer to the caller, the start of the child. */
export async function signDigest(input: SignDigestInput): Promise<void> {
  const signing = sign(input)
  setHandler(signUpdate, async () => {
    const { signature, slug } = await signing
    return { signature, slug }
  })
  const publication = await signing
  await startChild(publishReceipt, {
    workflowId: workflowIds.receipt(publication.slug),
    taskQueue: taskQueues.publish,
    args: [publication],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
    workflowTaskTimeout,
    typedSearchAttributes: proofAttributes(publication),
    staticSummary: `receipt of ${publication.txHash.slice(0, 18)}…`,
  })
  await condition(allHandlersFinished)
}

async function sign(input: SignDigestInput) {
  const entropy = await fetchEntropy(input)
  const evidence = await signInEnclave({ input, entropy })
  const verdict = await verifyQuote({ evidence, entropy })
  return recordSignature({ input, entropy, evidence, verdict })
}

/** Likewise: three activities, and as many writes of search attributes and current details. */
export async function publishReceipt({ slug }: PublishReceiptInput): Promise<void> {
  let status = 'pending_pin'
  setHandler(proofQuery, () => status)
  setCurrentDetails(`**${status}**\n\nProof \`${slug}\``)
  await awaitBroadcast({ slug })
  setCurrentDetails(`**${status}**, pinning\n\nProof \`${slug}\``)
  const { cid } = await pinReceipt({ slug })
  status = 'pending_onchain'
  upsertSearchAttributes([
    { key: proofKeys.status, value: status },
    { key: proofKeys.cid, value: cid },
  ])
  setCurrentDetails(`**${status}**\n\nProof \`${slug}\`\n\nReceipt \`${cid}\``)
  const place = await publishOnchain({ slug })
  status = 'complete'
  upsertSearchAttributes([{ key: proofKeys.status, value: status }])
  setCurrentDetails(`**${status}**\n\nProof \`${slug}\`\n\nReceipt \`${cid}\`\n\nEvent in \`${place.transaction}\``)
}
