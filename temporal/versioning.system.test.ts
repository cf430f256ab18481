import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { components } from '../tests/harness/index.js'
import { startStandInWorkers, type StandInWorkers } from '../tests/rigs/workers/startStandInWorkers.js'

const runbook = readFileSync(fileURLToPath(new URL('./RUNBOOK.md', import.meta.url)), 'utf8')
const deploymentName = 'perigee'
const walletId = '00000000-0000-4000-8000-00000000000a'

let rig: StandInWorkers
let publish = () => {}
const published = new Promise<void>((resolve) => (publish = resolve))

beforeAll(async () => {
  rig = await startStandInWorkers({ beforePublished: () => published })
})
afterAll(async () => {
  publish() // workers wait for what they run
  await rig.close()
})

/** Runs the line of the runbook's `sh deployment` blocks that contains these words. */
async function follow(words: string, buildId: string): Promise<string> {
  const lines = [...runbook.matchAll(/```sh deployment\n(.*?)```/gs)].flatMap(([, block = '']) => block.split('\n'))
  const [line, ...more] = lines.filter((one) => one.includes(words))
  if (!line || more.length > 0) throw new Error(`the runbook has ${more.length + 1} lines with: ${words}`)
  const env = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    TEMPORAL_ADDRESS: components().temporalAddress,
    ...components().temporalAccess,
    TEMPORAL_NAMESPACE: rig.namespace,
    BUILD_ID: buildId,
  }
  const command = line.replace(/^temporal /, `${components().programs.temporal} `)
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env })
  return stdout
}
/** A version exists once its workers have polled, and a busy server may end a call early: each command may be given again. */
const eventually = (work: () => Promise<string>) =>
  expect.poll(() => work().catch((error: unknown) => String(error)), { interval: 500 })

async function signOn(count: number): Promise<Record<string, number>> {
  rig.signed.length = 0
  await Promise.all(Array.from({ length: count }, () => rig.sign(walletId)))
  const builds: Record<string, number> = {}
  for (const { buildId } of rig.signed) builds[buildId ?? 'none'] = (builds[buildId ?? 'none'] ?? 0) + 1
  return builds
}
const buildOf = async (slug: string) =>
  (await rig.client.workflow.getHandle(`receipt/${slug}`).describe()).raw.workflowExecutionInfo?.versioningInfo
    ?.deploymentVersion?.buildId

test('the runbook’s deployment of a second build: ramp, drain, and roll back', async () => {
  await rig.startWorkers({ deploymentName, buildId: '1.0.0' })
  await eventually(() => follow('set-current-version', '1.0.0')).toMatch(/Success/)
  const open = await rig.sign(walletId) // its publication waits, and is open while the second build arrives
  expect(await signOn(4)).toEqual({ '1.0.0': 4 })
  await expect.poll(() => buildOf(open)).toBe('1.0.0')

  await rig.startWorkers({ deploymentName, buildId: '1.1.0' })
  await eventually(() => follow('set-ramping-version', '1.1.0')).toMatch(/Success/)
  const ramped = await signOn(40)
  expect(Object.keys(ramped).sort()).toEqual(['1.0.0', '1.1.0'])

  await eventually(() => follow('set-current-version', '1.1.0')).toMatch(/Success/)
  await expect.poll(() => signOn(5)).toEqual({ '1.1.0': 5 })
  await eventually(() => follow('describe-version', '1.0.0')).toMatch(/draining|drained/i)
  publish() // a publication moves to the current build
  expect(await rig.client.workflow.getHandle(`receipt/${open}`).result()).toBe('complete')
  expect(await buildOf(open)).toBe('1.1.0')

  await eventually(() => follow('set-current-version', '1.0.0')).toMatch(/Success/)
  await expect.poll(() => signOn(5)).toEqual({ '1.0.0': 5 })
  await eventually(() => follow('deployment describe ', '')).toContain('1.1.0')
})
