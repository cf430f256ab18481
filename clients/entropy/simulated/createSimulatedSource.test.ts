import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyEntropySample } from '@perigee/core/entropy'
import { startSatellite, type TestSatellite } from '../../../tests/rigs/servers/startSatellite.js'
import { createSimulatedSource } from './createSimulatedSource.js'

let satellite: TestSatellite
beforeEach(async () => {
  satellite = await startSatellite()
})
afterEach(() => satellite.close())

const open = (timeoutMs = 2_000) => createSimulatedSource({ url: satellite.url, timeoutMs })
const at = (): number => Math.floor(Date.now() / 1000)

test('gives samples that verify under the pinned key, each with the next sequence', async () => {
  const samples = await open().fetch(32)
  expect(samples.map((sample) => sample.sequence)).toEqual(Array.from({ length: 32 }, (_, i) => String(i + 1)))
  for (const sample of samples.slice(0, 3)) {
    await expect(verifyEntropySample(sample, satellite.trust, at())).resolves.toMatchObject({ provenance: 'simulated' })
  }
})

test.each([
  ['value', 'entropy_invalid'],
  ['signature', 'entropy_invalid'],
  ['key', 'entropy_invalid'],
  ['time', 'entropy_stale'],
] as const)('a lie about the %s is found by the verifier: %s', async (about, code) => {
  await satellite.tell({ mode: 'lie', about })
  const [sample] = await open().fetch(1)
  await expect(verifyEntropySample(sample!, satellite.trust, at())).rejects.toMatchObject({ code })
})

test('told to repeat, it repeats', async () => {
  const first = await open().fetch(2)
  await satellite.tell({ mode: 'repeat', requests: 1 })
  expect((await open().fetch(2)).map(({ value }) => value)).toEqual(first.map(({ value }) => value))
  expect((await open().fetch(1))[0]!.value).not.toBe(first[0]!.value)
})

test.each([
  [{ mode: 'fail', status: 503, retryAfterSeconds: 9 } as const, 'entropy_unavailable'],
  [{ mode: 'hang' } as const, 'entropy_unavailable'],
  [{ mode: 'delay', delayMs: 2_000 } as const, 'entropy_unavailable'],
  [{ mode: 'garble' } as const, 'entropy_invalid'],
])('told %j, the adapter answers %s', async (order, code) => {
  await satellite.tell(order)
  await expect(open(300).fetch(1)).rejects.toMatchObject({ code })
})

test('orders it does not know are refused', async () => {
  await expect(satellite.tell({ mode: 'explode' } as never)).rejects.toThrow('400')
  await expect(satellite.tell({ mode: 'lie', about: 'everything' } as never)).rejects.toThrow('400')
  const plain = await fetch(`${satellite.url}/admin/behaviour`, { method: 'POST', body: '{"mode":"hang"}' })
  expect(plain.status).toBe(415)
})
