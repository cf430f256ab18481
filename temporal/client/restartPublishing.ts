import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client'
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import {
  messages,
  priorities,
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
  const { kind, slug, txHash, wallet, chainId } = input // callers pass whole rows; nothing else of them goes to Temporal
  try {
    await client.workflow.start(workflowTypes.publishReceipt, {
      workflowId: workflowIds.receipt(slug),
      taskQueue: taskQueues.publish,
      args: [{ kind, slug, txHash, wallet, chainId }] as [PublishReceiptInput],
      workflowTaskTimeout,
      priority: priorities.publish(wallet),
      workflowIdConflictPolicy: open === 'replace' ? 'TERMINATE_EXISTING' : 'FAIL',
      // The record says that it is unfinished: what ended the earlier run (an operator's terminate, say) did not finish it.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      typedSearchAttributes: [
        { key: defineSearchAttributeKey('ProofStatus', SearchAttributeType.KEYWORD), value: 'pending_pin' },
        { key: defineSearchAttributeKey('ProofKind', SearchAttributeType.KEYWORD), value: kind },
        { key: defineSearchAttributeKey('Wallet', SearchAttributeType.KEYWORD), value: wallet },
        { key: defineSearchAttributeKey('ProofSlug', SearchAttributeType.KEYWORD), value: slug },
        { key: defineSearchAttributeKey('TxHash', SearchAttributeType.KEYWORD), value: txHash },
        { key: defineSearchAttributeKey('ChainId', SearchAttributeType.INT), value: chainId },
      ],
      staticSummary: `${summaryOf(input)}, restarted by ${by}`,
    })
    return true
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    if (open === 'retry') await client.workflow.getHandle(workflowIds.receipt(slug)).signal(messages.retryPublishAll)
    return false
  }
}
