import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import { ParentClosePolicy, startChild, WorkflowIdReusePolicy } from '@temporalio/workflow'
import {
  priorities,
  proofAttributes,
  summaryOf,
  taskQueues,
  workflowIds,
  workflowTaskTimeout,
  type PublishReceiptInput,
} from '@perigee/core/workflow'
import { publishReceipt } from './publishReceipt.js'

/**
 * Starts the publication of a committed signature, or of a committed wallet's birth, as a child that outlives its parent.
 * Returns when the child has started, now or earlier: a child that has not started when its parent ends never starts, not
 * even with ABANDON.
 */
export async function startPublishing({ kind, slug, txHash, wallet, chainId }: PublishReceiptInput): Promise<void> {
  const input = { kind, slug, txHash, wallet, chainId }
  try {
    await startChild(publishReceipt, {
      workflowId: workflowIds.receipt(slug),
      taskQueue: taskQueues.publish,
      args: [input],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      // A repeated request finds the row and comes here again: a publication that ended is not repeated.
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      workflowTaskTimeout,
      priority: priorities.publish(wallet),
      typedSearchAttributes: proofAttributes(input),
      staticSummary: summaryOf(input),
    })
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
}
