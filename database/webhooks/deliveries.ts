import { In, Not, type DataSource } from 'typeorm'
import type { DeliverWebhookInput } from '@perigee/core/workflow'
import { selectAs } from '../selectAs.js'
import { WebhookDeliveryEntity, type WebhookDelivery } from '../entities/Webhook.js'

const now = () => 'now()'

export function findDelivery(db: DataSource, { eventId, application }: DeliverWebhookInput) {
  return db.manager.findOneBy(WebhookDeliveryEntity, { eventId, application })
}

/** Pending deliveries that have no workflow yet, or whose workflow was not looked at for `seconds`; new ones first. */
export function findUnchecked(db: DataSource, seconds: number, limit: number) {
  return db
    .createQueryBuilder(WebhookDeliveryEntity, 'delivery')
    .select(['delivery.eventId', 'delivery.application', 'delivery.type'])
    .where(`delivery.state = 'pending'`)
    .andWhere('(delivery.checkedAt IS NULL OR delivery.checkedAt < now() - make_interval(secs => :seconds))', {
      seconds,
    })
    .orderBy('delivery.checkedAt', 'ASC', 'NULLS FIRST')
    .limit(limit)
    .getMany()
}

export async function markChecked(db: DataSource, { eventId, application }: DeliverWebhookInput): Promise<void> {
  await db.manager.update(WebhookDeliveryEntity, { eventId, application }, { checkedAt: now })
}

/** A delivery that was given up, and arrived after all, is delivered. */
export async function markDelivered(db: DataSource, { eventId, application }: DeliverWebhookInput): Promise<void> {
  const notYet = { eventId, application, state: Not('delivered' as const) }
  const delivered = { state: 'delivered', endedAt: now, errorCode: null, errorMessage: null } as const
  await db.manager.update(WebhookDeliveryEntity, notYet, delivered)
}

export interface DeadLetter extends DeliverWebhookInput {
  code: string
  message: string
}

export async function markDead(db: DataSource, { eventId, application, code, message }: DeadLetter): Promise<void> {
  const dead = { state: 'dead', endedAt: now, errorCode: code, errorMessage: message } as const
  await db.manager.update(WebhookDeliveryEntity, { eventId, application, state: 'pending' }, dead)
}

/** Delivers again what has ended. Returns how many deliveries that are. */
export async function replayDeliveries(
  db: DataSource,
  which: Partial<Pick<WebhookDelivery, 'eventId' | 'application'>>,
  states: ('dead' | 'delivered')[],
): Promise<number> {
  const again = { state: 'pending', checkedAt: null, endedAt: null, errorCode: null, errorMessage: null } as const
  const { affected } = await db.getRepository(WebhookDeliveryEntity).update({ ...which, state: In(states) }, again)
  return affected ?? 0
}

/** Deliveries that have not arrived, by application. `oldest`: age of the oldest event that waits, in seconds; 0 when none does. */
export function countUndelivered(db: DataSource) {
  const pending = `FILTER (WHERE delivery.state = 'pending')`
  return selectAs(db.createQueryBuilder(WebhookDeliveryEntity, 'delivery'), {
    application: 'delivery.application',
    waiting: `(count(*) ${pending})::int`,
    dead: `(count(*) FILTER (WHERE delivery.state = 'dead'))::int`,
    oldest: `coalesce(extract(epoch FROM now() - min(delivery.occurredAt) ${pending}), 0)::int`,
  })
    .where(`delivery.state IN ('pending', 'dead')`)
    .groupBy('delivery.application')
    .getRawMany<{ application: string; waiting: number; dead: number; oldest: number }>()
}

/** Dead letters, the oldest first. */
export function findDead(db: DataSource, limit: number): Promise<WebhookDelivery[]> {
  return db.manager.find(WebhookDeliveryEntity, { where: { state: 'dead' }, order: { occurredAt: 'ASC' }, take: limit })
}
