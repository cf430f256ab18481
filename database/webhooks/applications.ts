import { In, Not, type DataSource } from 'typeorm'
import { WebhookApplicationEntity, type WebhookApplication } from '../entities/Webhook.js'

/** From now on events are written for these applications and no others. What is written for others stays. */
export async function registerApplications(db: DataSource, applications: WebhookApplication[]): Promise<void> {
  await db.transaction(async (manager) => {
    await manager.delete(WebhookApplicationEntity, { name: Not(In(applications.map(({ name }) => name))) })
    if (applications.length > 0) await manager.upsert(WebhookApplicationEntity, applications, ['name'])
  })
}
