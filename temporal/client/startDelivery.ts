import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client'
import {
  priorities,
  taskQueues,
  workflowIds,
  workflowTaskTimeout,
  workflowTypes,
  type DeliverWebhookInput,
} from '@perigee/core/workflow'

/** Starts the workflow of a delivery unless it runs. One that has ended is started again: the record says that it is pending. */
export async function startDelivery(
  client: Client,
  { eventId, application, type }: DeliverWebhookInput & { type: string },
): Promise<void> {
  try {
    await client.workflow.start(workflowTypes.deliverWebhook, {
      workflowId: workflowIds.webhook(eventId, application),
      taskQueue: taskQueues.publish,
      args: [{ eventId, application }] as [DeliverWebhookInput],
      workflowTaskTimeout,
      priority: priorities.webhook(application),
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: `${type} for ${application}`,
    })
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
}
