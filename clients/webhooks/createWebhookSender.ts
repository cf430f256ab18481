import { ServiceError } from '@perigee/core'
import type { WebhookDelivery } from '../../database/index.js'
import type { WebhooksConfig } from './config.js'
import { postOnce } from './postOnce.js'
import { signWebhook } from './signWebhook.js'

/** An application cannot ask us to wait for longer. */
const longestWaitSeconds = 6 * 60 * 60

/** Posts events to applications. */
export function createWebhookSender({ applications, allowPrivate }: WebhooksConfig, withinMs = 10_000) {
  const find = (application: string) => applications.find(({ name }) => name === application)
  return {
    knows: (application: string): boolean => find(application) !== undefined,
    /** Resolves when the application has accepted the event. Every attempt has the same id and body, and a time of its own. */
    async post(
      application: string,
      { eventId, type, occurredAt, data }: Pick<WebhookDelivery, 'eventId' | 'type' | 'occurredAt' | 'data'>,
    ): Promise<void> {
      const known = find(application)
      if (!known) throw new ServiceError('webhook_refused', 'WEBHOOKS_FILE does not name this application')
      const body = JSON.stringify({ type, timestamp: occurredAt, data })
      const signed = signWebhook({ id: eventId, timestamp: Math.floor(Date.now() / 1000), body }, known.secrets)
      const headers = { 'content-type': 'application/json', 'user-agent': 'Perigee-Webhooks/1', ...signed }
      const { status, retryAfterSeconds } = await postOnce({ url: known.url, headers, body, allowPrivate, withinMs })
      if (status >= 200 && status < 300) return
      const text = `the application answered ${status}`
      if (status === 410) throw new ServiceError('webhook_refused', text, { status }) // Gone: it wants no more
      const wait = Math.min(retryAfterSeconds, longestWaitSeconds)
      throw new ServiceError('webhook_undelivered', text, { status, ...(wait > 0 && { retryAfterSeconds: wait }) })
    },
  }
}

export type WebhookSender = ReturnType<typeof createWebhookSender>
