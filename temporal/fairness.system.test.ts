import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStandInWorkers, type StandInWorkers } from '../tests/rigs/workers/startStandInWorkers.js'

const [busy, other] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']
const backlog = 200
const late = 10

let rig: StandInWorkers
beforeAll(async () => {
  rig = await startStandInWorkers({ signMs: 20 })
})
afterAll(() => rig.close())

test('a wallet with a backlog of 200 signatures does not hold up another wallet', async () => {
  // No worker serves the queue yet, so the server holds all of them; the other wallet's come last.
  for (let i = 0; i < backlog; i += 20) await Promise.all(Array.from({ length: 20 }, () => rig.start(busy)))
  for (let i = 0; i < late; i++) await rig.start(other)
  await rig.startWorkers(undefined, ['sign'])

  const places = () => rig.signed.flatMap(({ walletId }, place) => (walletId === other ? [place] : []))
  await expect.poll(() => places().length).toBe(late)
  // In order of arrival they would be the last ten, about 205 on average.
  expect(places().reduce((sum, place) => sum + place, 0) / late).toBeLessThan(backlog / 2)
})

test('signing has priority over publishing, and each has its wallet as the fairness key', async () => {
  const slug = await rig.sign(other)
  const receipt = rig.client.workflow.getHandle(`receipt/${slug}`)
  // The caller is answered a moment before the child has started.
  await expect.poll(() => receipt.describe().catch(() => null)).not.toBeNull()
  const child = await receipt.describe()
  expect(child.priority).toMatchObject({ priorityKey: 3, fairnessKey: `0x${'11'.repeat(20)}` })
  const parent = await rig.client.workflow.getHandle(child.parentExecution?.workflowId ?? '').describe()
  expect(parent.priority).toMatchObject({ priorityKey: 1, fairnessKey: other })
})
