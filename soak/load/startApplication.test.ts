import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWebhookSender } from '../../clients/webhooks/createWebhookSender.js'
import type { WebhooksConfig } from '../../clients/webhooks/config.js'
import { createRandom } from '../../tests/createRandom.js'
import { newWebhookSecret } from '../../tests/rigs/servers/startReceiver.js'
import { readLines } from './jsonLines.js'
import { startApplication, type AcceptedEvent } from './startApplication.js'

const folder = mkdtempSync(join(tmpdir(), 'perigee-application-'))
let application: Awaited<ReturnType<typeof startApplication>>
let applications: WebhooksConfig['applications']

beforeAll(async () => {
  application = await startApplication(folder, createRandom(1))
  applications = (JSON.parse(readFileSync(application.file, 'utf8')) as WebhooksConfig).applications
})
afterAll(async () => {
  await application.close()
  rmSync(folder, { recursive: true })
})

const post = (eventId: string, secrets = [application.secret]) =>
  createWebhookSender({ applications: applications.map((one) => ({ ...one, secrets })), allowPrivate: true }).post(
    'soak',
    {
      eventId,
      type: 'wallet.created',
      occurredAt: '2026-11-17T10:00:00.000Z',
      data: { address: '0x00' },
    },
  )

test('keeps every event once it accepts it, and refuses some at first', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `evt_${index}`)
  let refused = 0
  for (const id of ids) {
    while (
      !(await post(id).then(
        () => true,
        () => false,
      ))
    )
      refused++
  }
  expect(refused).toBeGreaterThan(0)
  expect(readLines<AcceptedEvent>(application.log).map(({ id }) => id)).toEqual(ids)
})

test('refuses an event with another secret, and does not keep it', async () => {
  await expect(post('forged', [newWebhookSecret()])).rejects.toMatchObject({ facts: { status: 401 } })
  expect(readLines<AcceptedEvent>(application.log).map(({ id }) => id)).not.toContain('forged')
})
