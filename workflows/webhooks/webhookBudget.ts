import type { ActivityOptions } from '@temporalio/workflow'
import { taskQueues } from '@perigee/core/workflow'

/**
 * An attempt ends after ten seconds by itself; a worker that was killed is noticed after twenty. Attempts come 5 s, 15 s, 45 s, …
 * apart and then every six hours, so that an application that was down for a weekend gets its events without an operator.
 */
export const webhookBudget: ActivityOptions = {
  taskQueue: taskQueues.webhooks,
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '3 days',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 3, maximumInterval: '6h' },
  summary: 'post the event to the application',
}
