import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import type { DeliverWebhookInput } from '@perigee/core/workflow'
import type { WebhookMeter } from '../../clients/webhooks/createWebhookMeter.js'
import type { WebhookSender } from '../../clients/webhooks/createWebhookSender.js'
import { findDelivery, isRegistered, markDelivered } from '../../database/index.js'

export interface DeliveryDeps {
  database: DataSource
  /** Null where `WEBHOOKS_FILE` is not set, and the queue is not served. */
  webhooks: WebhookSender | null
  webhookMeter: WebhookMeter
}

export function createDeliveryActivities({ database, webhooks, webhookMeter: meter }: DeliveryDeps) {
  return {
    /** Safe to retry: an attempt that was accepted and not recorded is repeated with the same `webhook-id`, by which applications tell. */
    async postWebhook({ eventId, application }: DeliverWebhookInput): Promise<void> {
      const delivery = await findDelivery(database, { eventId, application })
      if (!delivery || delivery.state === 'delivered') return
      if (!webhooks) throw new ServiceError('service_unavailable', 'this worker has no WEBHOOKS_FILE')
      // During a rolling restart, workers that have not restarted yet do not know a new application.
      if (!webhooks.knows(application) && (await isRegistered(database, application)))
        throw new ServiceError('webhook_undelivered', 'this worker started before the application was added')
      try {
        await webhooks.post(application, delivery)
      } catch (error) {
        meter.attempted(application, error instanceof ServiceError ? error.code : 'internal_error')
        throw error
      }
      meter.attempted(application, 'delivered')
      await markDelivered(database, { eventId, application })
    },
  }
}

export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>
