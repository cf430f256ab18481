import { WorkflowExecutionAlreadyStartedError, type Client, type WorkflowOptions } from '@temporalio/client'
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import { messages, taskQueues, workflowIds, workflowTypes, type PublishReceiptInput } from '@perigee/core/workflow'

/** A caller may be waiting; the signing workflow has more patience. */
const hereMs = 2_000

/**
 * Starts the publication of a signature that has just been committed, or finds it started. Its first workflow task comes
 * back with the start when this process serves the queue and has room: two thirds of what a child costs the server are
 * the ways through its queues. Needs the worker's own NativeConnection.
 */
export async function startPublishingHere(client: Client, input: PublishReceiptInput, signedBy: string): Promise<void> {
  try {
    await client.withDeadline(Date.now() + hereMs, () =>
      client.workflow.start(workflowTypes.publishReceipt, {
        ...optionsFor(input, `receipt of ${input.txHash.slice(0, 18)}…`),
        staticDetails: `signed by \`${signedBy}\``, // for the UI, which shows no parent
        requestEagerStart: true,
        // A second sign request finds the row and comes here again: a publication that ended is not repeated.
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
      }),
    )
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
}

/**
 * Starts the publication of a proof whose workflow is missing. False when it is running; one that `hasFailed` and waits
 * for an operator is then told to try again.
 */
export async function startPublishing(client: Client, input: PublishReceiptInput, hasFailed = false): Promise<boolean> {
  try {
    await client.workflow.start(workflowTypes.publishReceipt, {
      ...optionsFor(input, `receipt of ${input.txHash.slice(0, 18)}…, found by the sweep`),
      // The record says that it is unfinished: whatever ended the earlier run (terminated by hand, say) did not finish it.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    })
    return true
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    if (hasFailed) await client.workflow.getHandle(workflowIds.receipt(input.slug)).signal(messages.retryPublishAll)
    return false
  }
}

function optionsFor({ slug, txHash, wallet, chainId }: PublishReceiptInput, staticSummary: string) {
  return {
    workflowId: workflowIds.receipt(slug),
    taskQueue: taskQueues.publish,
    args: [{ slug, txHash, wallet, chainId, atOnce: true }] as [PublishReceiptInput],
    workflowTaskTimeout: '5s', // as in workflows/budgets.ts
    workflowIdConflictPolicy: 'FAIL',
    typedSearchAttributes: [
      { key: defineSearchAttributeKey('ProofStatus', SearchAttributeType.KEYWORD), value: 'pending_pin' },
      { key: defineSearchAttributeKey('Wallet', SearchAttributeType.KEYWORD), value: wallet },
      { key: defineSearchAttributeKey('ProofSlug', SearchAttributeType.KEYWORD), value: slug },
      { key: defineSearchAttributeKey('TxHash', SearchAttributeType.KEYWORD), value: txHash },
      { key: defineSearchAttributeKey('ChainId', SearchAttributeType.INT), value: chainId },
    ],
    staticSummary,
  } satisfies Partial<WorkflowOptions> & { args: unknown[] }
}
