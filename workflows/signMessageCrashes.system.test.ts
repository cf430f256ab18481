import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toHex } from '@perigee/core'
import { hexOfText } from '../core/message/testing/samples.js'
import { keepHistory } from '../temporal/testing/keepHistory.js'
import { requestHashOf } from '../tests/rigs/createSigningCalls.js'
import { failpointsOf } from '../tests/rigs/failpoints.js'
import { startMortalWorkers, type MortalWorkers } from '../tests/rigs/startMortalWorkers.js'
import { startService, type TestService } from '../tests/rigs/startService.js'

const isRecording = process.env.RECORD_HISTORIES === 'true'

let service: TestService
let workers: MortalWorkers
let walletId: string
const slugs: string[] = []

beforeAll(async () => {
  service = await startService()
  workers = await startMortalWorkers(service.env)
  const userId = await service.newUser()
  const provision = () => service.provision(userId)
  ;({ walletId } = await provision().catch(provision)) // workers take seconds to start
})
afterAll(async () => {
  workers?.stop()
  await service?.close()
})

/** Signed and not recorded, recorded and not answered: the rest is as in crashes.system.test.ts. `npm run histories` goes through all. */
const everyTime = ['signInEnclave:after', 'recordSignature:after']
const points = failpointsOf('sign').filter((point) => isRecording || everyTime.includes(point))

test.each(points)('a worker killed at %s while it signs a message costs nothing but time', async (point) => {
  const before = workers.deaths()
  const call = {
    walletId,
    message: { scheme: 'eip191', message: hexOfText(`killed at ${point}`) } as const,
    salt: toHex(randomBytes(32)),
    expiresAtMs: Date.now() + 60_000,
  }
  workers.dieAt(point)
  const answer = await service.signMessage(call)
  const workflowId = `message/${walletId}/${requestHashOf(call)}`
  await service.client.workflow.getHandle(workflowId).result() // its publication has started
  expect(workers.isWaiting()).toBe(false)
  expect(workers.deaths()).toBe(before + 1)
  await keepHistory(service.client, workflowId, `killed-message-${point.replaceAll(/[.:]/g, '-')}`)
  expect(await service.signMessage(call)).toEqual(answer)
  const rows = await service.database.query<{ slug: string }[]>(
    'SELECT slug FROM messages WHERE wallet_id = $1 AND request_hash = $2',
    [walletId, requestHashOf(call)],
  )
  expect(rows).toEqual([{ slug: answer.slug }])
  slugs.push(answer.slug)
})

test('all of them are published', async () => {
  expect(slugs).toHaveLength(points.length)
  for (const slug of slugs) expect(await service.publicationOf(slug)).toBe('complete')
})
