import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTemporal } from '../dev/stack/components/temporal.js'
import { createStackFolder } from '../dev/stack/createStackFolder.js'
import { openLeash } from '../dev/stack/processes/Leash.js'
import { startComponent } from '../dev/stack/processes/startComponent.js'
import { serverAddresses } from '../dev/stack/servers.js'
import { freePorts } from '../dev/stack/settings/ports.js'
import { otherTemporal } from '../dev/stack/stackTemporal.js'
import { components, provideComponents } from '../tests/harness/index.js'
import { startStandInWorkers, type StandInWorkers } from '../tests/rigs/workers/startStandInWorkers.js'

// The Temporal of the other tests keeps each task queue in one partition. Fairness is proven as it is deployed: on several,
// by a server of this file's own, or by the one that the environment names.
const { dir, remove } = await createStackFolder('fairness')
const leash = openLeash()

const [busy, other] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']
const backlog = 200
const late = 10

let rig: StandInWorkers
beforeAll(async () => {
  if (!otherTemporal(process.env)) {
    const { programs } = components()
    const options = { dir, ports: await freePorts(), programs, durable: true, databasePassword: '', env: process.env }
    await startComponent(createTemporal(options), leash, join(dir, 'logs'))
    const { temporalAddress, temporalAccess } = serverAddresses(options)
    provideComponents({ ...components(), temporalAddress, temporalAccess })
  }
  rig = await startStandInWorkers({ signMs: 20 })
})
afterAll(async () => {
  provideComponents(null) // the next test file may run in this process
  await rig.close()
  await leash.close()
  await remove()
})

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
