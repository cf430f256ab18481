import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client'
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import { messages, taskQueues, workflowIds, workflowTypes, type PublishReceiptInput } from '@perigee/core/workflow'

/**
 * Starts the publication of a proof whose workflow is missing. False when it is running; one that `hasFailed` and waits
 * for an operator is then told to try again.
 */
export async function startPublishing(client: Client, input: PublishReceiptInput, hasFailed = false): Promise<boolean> {
  try {
    await client.workflow.start(workflowTypes.publishReceipt, {
      workflowId: workflowIds.receipt(input.slug),
      taskQueue: taskQueues.publish,
      args: [{ ...input, atOnce: true }],
      workflowTaskTimeout: '5s', // as in workflows/budgets.ts
      workflowIdConflictPolicy: 'FAIL',
      // The record says that it is unfinished: whatever ended the earlier run (terminated by hand, say) did not finish it.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      typedSearchAttributes: [
        { key: defineSearchAttributeKey('ProofStatus', SearchAttributeType.KEYWORD), value: 'pending_pin' },
        { key: defineSearchAttributeKey('Wallet', SearchAttributeType.KEYWORD), value: input.wallet },
        { key: defineSearchAttributeKey('ProofSlug', SearchAttributeType.KEYWORD), value: input.slug },
        { key: defineSearchAttributeKey('TxHash', SearchAttributeType.KEYWORD), value: input.txHash },
        { key: defineSearchAttributeKey('ChainId', SearchAttributeType.INT), value: input.chainId },
      ],
      staticSummary: `receipt of ${input.txHash.slice(0, 18)}…, found by the sweep`,
    })
    return true
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    if (hasFailed) await client.workflow.getHandle(workflowIds.receipt(input.slug)).signal(messages.retryPublishAll)
    return false
  }
}
