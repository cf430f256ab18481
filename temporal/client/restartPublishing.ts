import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client'
import {
  messages,
  priorities,
  proofAttributes,
  summaryOf,
  taskQueues,
  workflowIds,
  workflowTaskTimeout,
  workflowTypes,
  type PublishReceiptInput,
} from '@perigee/core/workflow'

/**
 * Starts the publication of a proof whose workflow is missing. False when it is running. `by` is shown in Temporal's UI. `open`
 * says what happens to a running one: `keep` it; tell one that has failed and waits for an operator to `retry`; or `replace` it by a new run, because a
 * database that was restored may be behind it.
 */
export async function restartPublishing(
  client: Client,
  input: PublishReceiptInput,
  by: 'repairProofs' | 'ops retry' | 'ops recover',
  open: 'keep' | 'retry' | 'replace' = 'keep',
): Promise<boolean> {
  const { kind, slug, txHash, wallet, chainId } = input
  const proof = { kind, slug, txHash, wallet, chainId } // callers pass whole rows; nothing else of them goes to Temporal
  try {
    await client.workflow.start(workflowTypes.publishReceipt, {
      workflowId: workflowIds.receipt(slug),
      taskQueue: taskQueues.publish,
      args: [{ ...proof, isRestart: true }] satisfies [PublishReceiptInput],
      workflowTaskTimeout,
      priority: priorities.publish(wallet),
      workflowIdConflictPolicy: open === 'replace' ? 'TERMINATE_EXISTING' : 'FAIL',
      // The record says that it is unfinished: what ended the earlier run (an operator's terminate, say) did not finish it.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      typedSearchAttributes: proofAttributes(proof),
      staticSummary: `${summaryOf(input)}, restarted by ${by}`,
    })
    return true
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    if (open === 'retry') await client.workflow.getHandle(workflowIds.receipt(slug)).signal(messages.retryPublishAll)
    return false
  }
}
