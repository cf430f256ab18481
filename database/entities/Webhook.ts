import { date, defaultNow, json, nullable, of, primary, table, text, time, type RowOf } from './columns.js'

/** What applications can subscribe to. Names are wire format: add, never rename. */
export const webhookEvents = ['proof.complete', 'proof.failed', 'wallet.created', 'owners.changed'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** Who wants which events. Triggers read this; addresses and secrets stay in the worker's `WEBHOOKS_FILE`. */
export const WebhookApplicationEntity = table({
  name: 'WebhookApplication',
  tableName: 'webhook_applications',
  columns: {
    name: primary(text),
    events: of<WebhookEvent[]>({ type: 'text', array: true }),
    /** Only wallets of people from these issuers; null for all wallets. */
    walletsOf: nullable(of<string[]>({ type: 'text', array: true })),
    /** From then on no events are written for it. Every worker that has the application in its file renews this. */
    lapsesAt: date,
  },
})
export type WebhookApplication = RowOf<typeof WebhookApplicationEntity>

/** One event for one application, written by a trigger in the transaction that makes it true. */
export const WebhookDeliveryEntity = table({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  columns: {
    /** The `webhook-id` of every attempt. A hash of what happened, so the same event has the same id after a restore, too. */
    eventId: primary(text),
    application: primary(text),
    type: of<WebhookEvent>(text),
    /** Public identifiers only. */
    data: of<Record<string, unknown>>(json),
    occurredAt: defaultNow(time),
    state: of<'pending' | 'delivered' | 'dead'>({ ...text, default: 'pending' }),
    /** When its workflow was last started, or seen running; null before the first time. */
    checkedAt: nullable(date),
    /** When it was delivered or given up. */
    endedAt: nullable(date),
    errorCode: nullable(text),
    errorMessage: nullable(text),
  },
  indices: [
    { name: 'webhook_deliveries_pending', columns: ['checkedAt'], where: `state = 'pending'` },
    { name: 'webhook_deliveries_dead', columns: ['occurredAt'], where: `state = 'dead'` },
    { name: 'webhook_deliveries_delivered', columns: ['endedAt'], where: `state = 'delivered'` },
  ],
  checks: [
    { name: 'webhook_deliveries_state_check', expression: `state IN ('pending', 'delivered', 'dead')` },
    { name: 'webhook_deliveries_ended_check', expression: `(state = 'pending') = (ended_at IS NULL)` },
  ],
})
export type WebhookDelivery = RowOf<typeof WebhookDeliveryEntity>
