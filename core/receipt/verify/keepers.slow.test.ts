import { expect, test } from 'vitest'
import type { EnclaveBuild, RuntimeEvent } from '../../measurements/index.js'
import { developmentProviders, hostileLogs } from '../../measurements/testing/bootLogs.js'
import { bootLog } from '../../simulation/index.js'
import { mintBirth } from '../testing/mintBirth.js'
import { mintReceipt } from '../testing/mintReceipt.js'
import { releasesOf, simulatedList } from '../testing/simulatedReleases.js'
import { createSimulatedWorld } from '../testing/simulatedWorld.js'
import { verifyReceipt } from './index.js'

const world = await createSimulatedWorld()
const list = simulatedList()
const build: EnclaveBuild = {
  ...(list.enclaves[0] as EnclaveBuild),
  composeHash: `0x${'c1'.repeat(32)}`,
  appId: `0x${'c2'.repeat(20)}`,
  keyProvider: { name: 'kms', id: `0x${'c3'.repeat(91)}` },
}

/** What a verifier says about a receipt of a machine that measured this log, where the list names this build. */
async function stepsOf(log: RuntimeEvent[], listed: EnclaveBuild = build) {
  const { evidence, anchors } = mintReceipt(world, { runtimeEvents: log })
  const releases = releasesOf({ ...list, enclaves: [listed] })
  return (await verifyReceipt({ ...evidence, releases }, { anchors, skip: ['birth'] })).steps
}
async function failuresOf(log: RuntimeEvent[], listed: EnclaveBuild = build) {
  const steps = await stepsOf(log, listed)
  return steps.filter(({ status }) => status === 'fail').map(({ step, code }) => [step, code])
}

test('a receipt verifies when the boot log names the published compose file, app id and key service', async () => {
  expect(await failuresOf(bootLog(build))).toEqual([])
  expect(await failuresOf(bootLog(build), { ...build, appId: `0x${'00'.repeat(20)}` })).toEqual([
    ['measurements', 'app_id_mismatch'],
  ])
})

test('the verdict names the app id and the key service', async () => {
  const { detail } = (await stepsOf(bootLog(build))).find(({ step }) => step === 'measurements')!
  expect(detail).toContain(`as app ${build.appId} with keys from kms 0xc3c3c3c3`)
})

test.each(hostileLogs)('a receipt from a machine with %s fails with %s', async (_, code, change) => {
  expect(await failuresOf(change(bootLog(build)))).toEqual([['measurements', code]])
})

test.each(hostileLogs)('a receipt whose key was born on a machine with %s fails', async (_, code, change) => {
  const birth = mintBirth(world, { runtimeEvents: change(bootLog(build)) })
  const { evidence, anchors } = mintReceipt(world, { runtimeEvents: bootLog(build), birth })
  const releases = releasesOf({ ...list, enclaves: [build] })
  const { steps } = await verifyReceipt({ ...evidence, releases }, { anchors })
  expect(steps.filter(({ status }) => status !== 'pass')).toMatchObject([
    { step: 'birth', code: 'birth_invalid', facts: { failed: 'measurements', code } },
  ])
})

test.each(developmentProviders)('a receipt whose keys come from %s fails', async (_, change) => {
  const listed = { ...build, simulated: false }
  expect(await failuresOf(change(bootLog(build)), listed)).toEqual([['measurements', 'key_provider_development']])
})
