import { In, Not, type DataSource } from 'typeorm'
import type { DeliverWebhookInput } from '@perigee/core/workflow'
import { WebhookDeliveryEntity, type WebhookDelivery } from '../entities/Webhook.js'

const now = () => 'now()'

export function findDelivery(
  db: DataSource,
  { eventId, application }: DeliverWebhookInput,
): Promise<WebhookDelivery | null> {
  return db.getRepository(WebhookDeliveryEntity).findOneBy({ eventId, application })
}

/** Pending deliveries that have no workflow yet, or whose workflow was not looked at for `seconds`; new ones first. */
export function findUnchecked(
  db: DataSource,
  seconds: number,
  limit: number,
): Promise<Pick<WebhookDelivery, 'eventId' | 'application' | 'type'>[]> {
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
  await db.getRepository(WebhookDeliveryEntity).update({ eventId, application }, { checkedAt: now })
}

/** A delivery that was given up, and arrived after all, is delivered. */
export async function markDelivered(db: DataSource, { eventId, application }: DeliverWebhookInput): Promise<void> {
  await db
    .getRepository(WebhookDeliveryEntity)
    .update(
      { eventId, application, state: Not('delivered') },
      { state: 'delivered', endedAt: now, errorCode: null, errorMessage: null },
    )
}

export interface DeadLetter extends DeliverWebhookInput {
  code: string
  message: string
}

export async function markDead(db: DataSource, { eventId, application, code, message }: DeadLetter): Promise<void> {
  await db
    .getRepository(WebhookDeliveryEntity)
    .update(
      { eventId, application, state: 'pending' },
      { state: 'dead', endedAt: now, errorCode: code, errorMessage: message },
    )
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

export interface DeliveryCounts {
  application: string
  waiting: number
  dead: number
  /** Age of the oldest event that waits, in seconds; 0 when none does. */
  oldest: number
}

/** Deliveries that have not arrived, by application. */
export function countUndelivered(db: DataSource): Promise<DeliveryCounts[]> {
  return db
    .createQueryBuilder(WebhookDeliveryEntity, 'delivery')
    .select('delivery.application', 'application')
    .addSelect(`(count(*) FILTER (WHERE delivery.state = 'pending'))::int`, 'waiting')
    .addSelect(`(count(*) FILTER (WHERE delivery.state = 'dead'))::int`, 'dead')
    .addSelect(
      `coalesce(extract(epoch FROM now() - min(delivery.occurredAt) FILTER (WHERE delivery.state = 'pending')), 0)::int`,
      'oldest',
    )
    .where(`delivery.state IN ('pending', 'dead')`)
    .groupBy('delivery.application')
    .getRawMany<DeliveryCounts>()
}

/** Dead letters, the oldest first. */
export function findDead(db: DataSource, limit: number): Promise<WebhookDelivery[]> {
  return db
    .getRepository(WebhookDeliveryEntity)
    .find({ where: { state: 'dead' }, order: { occurredAt: 'ASC' }, take: limit })
}
