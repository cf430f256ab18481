import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDelivery } from '../../database/index.js'
import { keepHistory } from '../../temporal/testing/keepHistory.js'
import { startMortalWorkers, type MortalWorkers } from '../../tests/rigs/failpoints/startMortalWorkers.js'
import { patiently } from '../../tests/rigs/patiently.js'
import { startReceiver, writeWebhooksFile, type Receiver } from '../../tests/rigs/servers/startReceiver.js'
import { startService, type TestService } from '../../tests/rigs/workers/startService.js'

const isRecording = process.env.RECORD_HISTORIES === 'true'

let service: TestService
let workers: MortalWorkers
let receiver: Receiver
let file: Awaited<ReturnType<typeof writeWebhooksFile>>

beforeAll(async () => {
  receiver = await startReceiver()
  file = await writeWebhooksFile([
    { name: 'shop', url: receiver.url, secrets: [receiver.secret], events: ['wallet.created'] },
  ])
  service = await startService({ env: { WEBHOOKS_FILE: file.path } })
  workers = await startMortalWorkers(service.env)
})
afterAll(async () => {
  workers?.stop()
  await service?.close()
  await receiver.close()
  await file.remove()
})

/** The event reaches the application again only where the worker died after the application had it. */
const points = [
  ['postWebhook:before', 1],
  ['webhook.post:before', 1],
  ['webhook.post:after', 2],
  ['postWebhook:after', 1],
] as const

test.each(points.filter(([point]) => isRecording || point === 'webhook.post:after'))(
  'a worker killed at %s costs nothing but time: the event arrives, %i times, under one id',
  async (point, times) => {
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
