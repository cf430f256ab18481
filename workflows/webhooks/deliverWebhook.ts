import { ApplicationFailure, isCancellation, proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { DeliverWebhookInput } from '@perigee/core/workflow'
import type { DeadLetterActivities } from '../../activities/webhooks/createDeadLetterActivities.js'
import type { DeliveryActivities } from '../../activities/webhooks/createDeliveryActivities.js'
import { describeFailure } from '../failures.js'
import { recordBudget } from '../publishing/publishingBudgets.js'
import { webhookBudget } from './webhookBudget.js'

const { postWebhook } = proxyActivities<DeliveryActivities>(webhookBudget)
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
