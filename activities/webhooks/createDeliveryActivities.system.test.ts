import { expect, test } from 'vitest'
import type { DataSource } from 'typeorm'
import { createWebhookMeter } from '../../clients/webhooks/createWebhookMeter.js'
import { createWebhookSender } from '../../clients/webhooks/createWebhookSender.js'
import { registerApplications } from '../../database/index.js'
import { useDatabase } from '../../tests/harness/index.js'
import { createDeliveryActivities } from './createDeliveryActivities.js'

let database: DataSource
useDatabase((opened) => (database = opened))

test('a worker leaves an application that its file does not name to the workers that know it; a removed one is refused', async () => {
  await database.query(
    `INSERT INTO webhook_deliveries (event_id, application, type, data) VALUES ('evt_1', 'new', 'wallet.created', '{}')`,
  )
  const webhooks = createWebhookSender({ applications: [], allowPrivate: true })
  const { postWebhook } = createDeliveryActivities({ database, webhooks, webhookMeter: createWebhookMeter() })
  const post = () => postWebhook({ eventId: 'evt_1', application: 'new' })
  await registerApplications(database, [{ name: 'new', events: ['wallet.created'], walletsOf: null }])
  await expect(post()).rejects.toMatchObject({ code: 'webhook_undelivered', retryable: true })
  await registerApplications(database, [])
  await expect(post()).rejects.toMatchObject({ code: 'webhook_refused', retryable: false })
})
