import { describe, expect, test } from 'vitest'
import { findDelivery } from '../../../database/index.js'
import { keepHistory } from '../../../temporal/testing/keepHistory.js'
import type { Receiver } from '../servers/startReceiver.js'
import { patiently } from '../patiently.js'
import type { MortalWorkers } from './startMortalWorkers.js'
import type { TestService } from '../workers/startService.js'

const isRecording = process.env.RECORD_HISTORIES === 'true'

/** The event reaches the application again only where the worker died after the application had it. */
const points = [
  ['postWebhook:before', 1],
  ['webhook.post:before', 1],
  ['webhook.post:after', 2],
  ['postWebhook:after', 1],
] as const

/** What a worker's death costs while it tells the application `shop` of new wallets. */
export function describeWebhookCrashes(
  rig: () => { service: TestService; workers: MortalWorkers; receiver: Receiver },
): void {
  describe('webhooks', () => {
    test.each(points.filter(([point]) => isRecording || point === 'webhook.post:after'))(
      'a worker killed at %s costs nothing but time: the event arrives, %i times, under one id',
      async (point, times) => {
        const { service, workers, receiver } = rig()
        const before = workers.deaths()
        receiver.received.length = 0
        workers.dieAt(point)
        const userId = await service.newUser()
        await patiently(() => service.provision(userId))
        await expect.poll(() => receiver.received.length, { timeout: 120_000 }).toBeGreaterThanOrEqual(times)
        const [first] = receiver.received
        const delivery = { eventId: first?.id ?? '', application: 'shop' }
        const stateOf = async () => (await findDelivery(service.database, delivery))?.state
        await expect.poll(stateOf, { timeout: 120_000 }).toBe('delivered')
        const workflowId = `webhook/${delivery.eventId}/shop`
        await service.client.workflow.getHandle(workflowId).result()
        await keepHistory(service.client, workflowId, `killed-webhook-${point.replaceAll(/[.:]/g, '-')}`)
        expect(workers.isWaiting()).toBe(false)
        expect(workers.deaths()).toBe(before + 1)
        expect(receiver.received.map(({ id, body, verified }) => ({ id, body, verified }))).toEqual(
          Array.from({ length: times }, () => ({ id: first?.id, body: first?.body, verified: true })),
        )
      },
    )
  })
}
