import { expect, test } from 'vitest'
import { ServiceError } from '@perigee/core'
import { verifyEntropySample, type EntropySample } from '@perigee/core/entropy'
import { readEntropyState } from '../../../database/index.js'
import { retireIfReused } from './retireIfReused.js'
import { useSupply } from '../testing/useSupply.js'

const rig = useSupply()
const { open, ready } = rig
const at = (): number => Math.floor(Date.now() / 1000)

test('gives verified samples that were fetched ahead', async () => {
  const supply = open()
  supply.start()
  await ready(supply)
  const sample = await supply.take({ kind: 'sign', id: 'w/1' })
  await expect(verifyEntropySample(sample, rig.satellite.trust, at())).resolves.toMatchObject({
    provenance: 'simulated',
  })
})

test('gives the same sample to the same purpose, from any worker', async () => {
  const first = open()
  const second = open()
  first.start()
  await ready(first)
  const sample = await first.take({ kind: 'sign', id: 'w/1' })
  expect(await second.take({ kind: 'sign', id: 'w/1' })).toEqual(sample)
  expect((await second.take({ kind: 'create', id: 'w/1' })).value).not.toBe(sample.value)
})

test('concurrent requests for one purpose share one sample', async () => {
  const supply = open()
  supply.start()
  await ready(supply)
  const samples = await Promise.all(Array.from({ length: 20 }, () => supply.take({ kind: 'sign', id: 'same' })))
  expect(new Set(samples.map((sample) => sample.value)).size).toBe(1)
})

test('retires a sample that went stale and gives the purpose a new one', async () => {
  let shift = 0
  const supply = open({
    now: () => Date.now() + shift,
    trust: { ...rig.satellite.trust, freshnessSeconds: 25 },
    options: { waitMs: 500 },
  })
  supply.start()
  await ready(supply)
  const old = await supply.take({ kind: 'sign', id: 'slow' })
  await supply.stop()
  shift = 30_000
  await expect(supply.take({ kind: 'sign', id: 'slow' })).rejects.toMatchObject({ code: 'entropy_unavailable' })
  shift = 0
  const renewed = open()
  renewed.start()
  const sample = await renewed.take({ kind: 'sign', id: 'slow' })
  expect(sample.value).not.toBe(old.value)
  const rows: { value: string; retired: boolean }[] = await rig.database.query(
    `SELECT value, retired_at IS NOT NULL AS retired FROM entropy_samples WHERE purpose = 'sign:slow' ORDER BY taken_at`,
  )
  expect(rows).toEqual([
    { value: old.value, retired: true },
    { value: sample.value, retired: false },
  ])
})

test('the database refuses to give a used sample away, to forget its use, or to bring it back', async () => {
  const supply = open()
  supply.start()
  const { value } = await supply.take({ kind: 'sign', id: 'a' })
  for (const change of [
    `UPDATE entropy_samples SET purpose = 'sign:b' WHERE value = $1`,
    `UPDATE entropy_samples SET purpose = NULL, taken_at = NULL WHERE value = $1`,
    `DELETE FROM entropy_samples WHERE value = $1`,
  ]) {
    await expect(rig.database.query(change, [value])).rejects.toMatchObject({ driverError: { code: '23514' } })
  }
})

test('an empty supply waits for the source, briefly', async () => {
  await rig.satellite.tell({ mode: 'delay', delayMs: 200 })
  const supply = open()
  supply.start()
  await expect(supply.take({ kind: 'sign', id: 'a' })).resolves.toBeDefined()
})

test('an empty supply ends in entropy_unavailable with the seconds to wait', async () => {
  await rig.satellite.tell({ mode: 'fail', status: 429, retryAfterSeconds: 7 })
  const supply = open({ options: { waitMs: 1_000 } })
  supply.start()
  const error = await supply.take({ kind: 'sign', id: 'a' }).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'entropy_unavailable', status: 503, retryable: true })
  const { retryAfterSeconds } = (error as { facts: { retryAfterSeconds: number } }).facts
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(4)
  expect(retryAfterSeconds).toBeLessThanOrEqual(7)
})

test('publishes its state for readiness, and tells every change in the log', async () => {
  expect((await readEntropyState(rig.database)).state).toBe('unknown')
  const supply = open({ options: { waitMs: 500 } })
  supply.start()
  await ready(supply)
  await expect.poll(async () => (await readEntropyState(rig.database)).state).toBe('ready')
  const state = await readEntropyState(rig.database)
  expect(state.snapshot).toMatchObject({
    state: 'ready',
    target: 16,
    sources: { 'simulated-satellite': { state: 'closed' } },
  })
  expect(rig.lines).toContainEqual(expect.objectContaining({ text: 'entropy supply changed state', to: 'ready' }))
  await rig.satellite.tell({ mode: 'fail' })
  for (let i = 0; supply.snapshot().unavailable === 0; i++) {
    await supply.take({ kind: 'sign', id: `${i}` }).catch(() => undefined)
  }
  await expect.poll(async () => (await readEntropyState(rig.database)).state).toBe('empty')
  expect((await readEntropyState(rig.database, 0)).state).toBe('unknown')
})

test('a sample that was refused as used is retired, and the retry gets another', async () => {
  const supply = open()
  supply.start()
  await ready(supply)
  const purpose = { kind: 'sign', id: 'w/refused' } as const
  const given: string[] = []
  const use = async (sample: EntropySample): Promise<string> => {
    given.push(sample.value)
    if (given.length === 1) throw new ServiceError('entropy_reused', 'this sample has served another request')
    if (given.length === 2) throw new ServiceError('enclave_unreachable', 'nobody is there')
    return 'signed'
  }
  const attempt = async () => {
    const sample = await supply.take(purpose)
    return retireIfReused(supply, purpose, sample, () => use(sample))
  }
  await expect(attempt()).rejects.toMatchObject({ code: 'entropy_reused' })
  await expect(attempt()).rejects.toMatchObject({ code: 'enclave_unreachable' })
  expect(await attempt()).toBe('signed')
  expect(given[1]).not.toBe(given[0])
  expect(given[2]).toBe(given[1]) // any other failure keeps the sample
})
