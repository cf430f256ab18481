import { ApplicationFailure, isCancellation, proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import { taskQueues, type DeliverWebhookInput } from '@perigee/core/workflow'
import type { DeadLetterActivities } from '../../activities/webhooks/createDeadLetterActivities.js'
import type { DeliveryActivities } from '../../activities/webhooks/createDeliveryActivities.js'
import { describeFailure } from '../failures.js'
import { recordBudget } from '../publishing/publishingBudgets.js'

/**
 * An attempt ends after ten seconds by itself; a worker that was killed is noticed after twenty. Attempts come 5 s, 15 s, 45 s, …
 * apart and then every six hours, so that an application that was down for a weekend gets its events without an operator.
 */
const { postWebhook } = proxyActivities<DeliveryActivities>({
  taskQueue: taskQueues.webhooks,
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '3 days',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 3, maximumInterval: '6h' },
  summary: 'post the event to the application',
})
const { recordDeadLetter } = proxyLocalActivities<DeadLetterActivities>(recordBudget)

/**
 * Delivers one event to one application. When three days were not enough, or the application wants no more, the event joins the
 * dead letters, which an operator can replay: then a new run has the same id.
 */
export async function deliverWebhook(input: DeliverWebhookInput): Promise<void> {
  try {
    await postWebhook(input)
  } catch (error) {
    if (isCancellation(error)) throw error
    const { code, message } = describeFailure(error, 'webhook_undelivered')
    await recordDeadLetter({ ...input, code, message })
    throw ApplicationFailure.nonRetryable(message, code)
  }
}
