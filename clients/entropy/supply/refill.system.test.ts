import { expect, test } from 'vitest'
import type { EntropySample } from '@perigee/core/entropy'
import type { EntropySource } from '../EntropySource.js'
import { createSimulatedSource } from '../simulated/createSimulatedSource.js'
import { startSatellite } from '../../../tests/rigs/servers/startSatellite.js'
import { useSupply } from '../testing/useSupply.js'

const rig = useSupply()
const { open, ready } = rig

test.each(['value', 'signature', 'key', 'time'] as const)(
  'stores nothing of a source that lies about the %s',
  async (about) => {
    await rig.satellite.tell({ mode: 'lie', about })
    const supply = open({ options: { waitMs: 1_000 } })
    supply.start()
    await expect(supply.take({ kind: 'sign', id: 'a' })).rejects.toMatchObject({ code: 'entropy_unavailable' })
    const { failures } = supply.snapshot().sources['simulated-satellite']!
    expect(Object.keys(failures)).toEqual([about === 'time' ? 'entropy_stale' : 'entropy_invalid'])
    expect(await rig.database.query(`SELECT FROM entropy_samples`)).toHaveLength(0)
  },
)

test('refuses a repeated answer, and recovers when the source does', async () => {
  const supply = open({ options: { target: 4 } })
  supply.start()
  await supply.take({ kind: 'sign', id: '0' })
  await rig.satellite.tell({ mode: 'repeat', requests: 1 })
  for (let i = 1; i < 12; i++) await supply.take({ kind: 'sign', id: String(i) })
  expect(supply.snapshot().sources['simulated-satellite']!.failures).toEqual({ entropy_reused: 1 })
})

test('asks again when a quarter is used, not for every sample', async () => {
  const supply = open({ options: { target: 16 } })
  supply.start()
  await ready(supply, 16)
  const fetched = () => supply.snapshot().sources['simulated-satellite']!.fetched
  for (let i = 0; i < 3; i++) await supply.take({ kind: 'sign', id: String(i) })
  await new Promise((resolve) => setTimeout(resolve, 300)) // six rounds
  expect(fetched()).toBe(16)
  await supply.take({ kind: 'sign', id: 'fourth' })
  await expect.poll(fetched).toBe(20)
  expect(supply.snapshot().level).toBe(16)
})

test('refuses a source that counts backwards', async () => {
  await rig.satellite.close()
  rig.satellite = await startSatellite(1000n)
  const supply = open({ options: { target: 8, waitMs: 500 } })
  supply.start()
  await ready(supply, 8)
  for (let i = 0; i < 8; i++) await supply.take({ kind: 'sign', id: String(i) })
  await rig.satellite.tell({ mode: 'lie', about: 'sequence' })
  await expect
    .poll(async () => {
      await supply.take({ kind: 'sign', id: `more ${Math.random()}` }).catch(() => undefined)
      return supply.snapshot().sources['simulated-satellite']!.lastFailure
    })
    .toBe('entropy_invalid')
})

test('turns to the next source while the first fails, and says so in the log', async () => {
  const second = await startSatellite()
  const backup: EntropySource = { ...createSimulatedSource({ url: second.url }), name: 'backup' }
  const renamed: EntropySource = {
    ...backup,
    fetch: async (count) =>
      (await backup.fetch(count)).map((sample): EntropySample => ({ ...sample, source: 'backup' })),
  }
  const backupKeys = Object.entries(second.trust.keys).map(([id, key]) => [id, { ...key, source: 'backup' }] as const)
  await rig.satellite.tell({ mode: 'fail' })
  const supply = open({
    sources: [createSimulatedSource({ url: rig.satellite.url }), renamed],
    trust: { ...rig.satellite.trust, keys: { ...rig.satellite.trust.keys, ...Object.fromEntries(backupKeys) } },
  })
  supply.start()
  expect((await supply.take({ kind: 'sign', id: 'a' })).source).toBe('backup')
  for (let i = 0; i < 60; i++) await supply.take({ kind: 'sign', id: `b${i}` })
  await expect.poll(() => supply.snapshot().sources['simulated-satellite']!.state).toBe('open')
  expect(rig.lines).toContainEqual(expect.objectContaining({ text: 'entropy source changed state', state: 'open' }))
  await rig.satellite.tell({ mode: 'normal' })
  await expect
    .poll(async () => {
      await supply.take({ kind: 'sign', id: `c${Math.random()}` })
      return supply.snapshot().sources['simulated-satellite']!.state
    })
    .toBe('closed')
  await second.close()
})

test('never steps below the minimum level, also for samples stored before it was raised', async () => {
  const lenient = open()
  lenient.start()
  await ready(lenient)
  await lenient.stop()
  const strict = open({ trust: { ...rig.satellite.trust, minimum: 'beacon-verified' }, options: { waitMs: 1_000 } })
  strict.start()
  await expect(strict.take({ kind: 'sign', id: 'a' })).rejects.toMatchObject({ code: 'entropy_unavailable' })
  expect(strict.snapshot().sources['simulated-satellite']!.failures).toHaveProperty('entropy_untrusted')
})
