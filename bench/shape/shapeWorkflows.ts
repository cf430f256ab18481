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
import { taskQueues, workflowIds, type PublishReceiptInput, type SignDigestInput } from '@perigee/core/workflow'
import { cidKey, proofAttributes, proofStatusKey } from '../../workflows/searchAttributes.js'
import type { ShapeActivities } from './shapeActivities.js'

const signUpdate = defineUpdate<{ signature: string; slug: string }>('sign')
const proofQuery = defineQuery<string>('proof')

const local = { startToCloseTimeout: '6s', scheduleToCloseTimeout: '14s', summary: 'nothing' } as const
const { fetchEntropy, signInEnclave, verifyQuote, recordSignature } = proxyLocalActivities<ShapeActivities>(local)

const regular = { startToCloseTimeout: '45s', scheduleToCloseTimeout: '15m', heartbeatTimeout: '10s' } as const
const { pinReceipt } = proxyActivities<ShapeActivities>({ ...regular, taskQueue: taskQueues.publish })
const { awaitBroadcast, publishOnchain } = proxyActivities<ShapeActivities>({
  ...regular,
  taskQueue: taskQueues.chain,
})

/** The least a workflow can cost. */
export async function noop(): Promise<void> {}

/** `signDigest` with nothing in its steps: four local activities, the answer to the caller, the start of the child. */
export async function signShape(input: SignDigestInput): Promise<void> {
  const signing = sign(input)
  setHandler(signUpdate, async () => {
    const { signature, slug } = await signing
    return { signature, slug }
  })
  const publication = await signing
  await startChild(publishShape, {
    workflowId: workflowIds.receipt(publication.slug),
    taskQueue: taskQueues.publish,
    args: [publication],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
    workflowTaskTimeout: '5s',
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

/** `publishReceipt` likewise: three activities, and as many writes of search attributes and current details. */
export async function publishShape({ slug }: PublishReceiptInput): Promise<void> {
  let status = 'pending_pin'
  setHandler(proofQuery, () => status)
  setCurrentDetails(`**${status}**\n\nProof \`${slug}\``)
  await awaitBroadcast({ slug })
  const { cid } = await pinReceipt({ slug })
  status = 'pending_onchain'
  upsertSearchAttributes([
    { key: proofStatusKey, value: status },
    { key: cidKey, value: cid },
  ])
  setCurrentDetails(`**${status}**\n\nProof \`${slug}\`\n\nReceipt \`${cid}\``)
  const place = await publishOnchain({ slug })
  status = 'complete'
  upsertSearchAttributes([{ key: proofStatusKey, value: status }])
  setCurrentDetails(`**${status}**\n\nProof \`${slug}\`\n\nReceipt \`${cid}\`\n\nEvent in \`${place.transaction}\``)
}
