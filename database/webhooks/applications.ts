import { In, Not, Raw, type DataSource } from 'typeorm'
import { WebhookApplicationEntity, type WebhookApplication } from '../entities/Webhook.js'

/** How long events are still written for an application that no worker has in its file. */
const inAWeek = () => `now() + interval '7 days'`

/** From now on events are written for these applications and no others. What is written for others stays. */
export async function registerApplications(
  db: DataSource,
  applications: Omit<WebhookApplication, 'lapsesAt'>[],
): Promise<void> {
  const registered = applications.map((application) => ({ ...application, lapsesAt: inAWeek }))
  await db.transaction(async (manager) => {
    // Workers that start together take turns. Triggers only read, so they do not wait.
    await manager.query('LOCK TABLE webhook_applications IN SHARE ROW EXCLUSIVE MODE')
    await manager.delete(WebhookApplicationEntity, { name: Not(In(applications.map(({ name }) => name))) })
    if (registered.length > 0) await manager.upsert(WebhookApplicationEntity, registered, ['name'])
  })
}

/** A worker still serves these applications. One that another worker has removed since stays removed. */
export async function renewApplications(db: DataSource, names: readonly string[]): Promise<void> {
  const lapsesAt = Raw((column) => `${column} < now() + interval '6 days'`) // so that it is written once a day
  await db.getRepository(WebhookApplicationEntity).update({ name: In(names), lapsesAt }, { lapsesAt: inAWeek })
}

export function isRegistered(db: DataSource, name: string): Promise<boolean> {
  return db.getRepository(WebhookApplicationEntity).existsBy({ name })
}
