import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import { verifyEntropySample, type EntropySample } from '@perigee/core/entropy'
import { createDataSource, readEntropyState } from '../../database/index.js'
import { freshDatabase, type FreshDatabase } from '../../tests/harness/index.js'
import { createEntropySupply, type EntropySupplyDeps } from './createEntropySupply.js'
import type { EntropySource } from './EntropySource.js'
import type { EntropySupply } from './EntropySupply.js'
import { retireIfReused } from './retireIfReused.js'
import { createSimulatedSource } from './simulated/createSimulatedSource.js'
import { startSatellite, type TestSatellite } from './testing/startSatellite.js'

let fresh: FreshDatabase
let database: DataSource
let satellite: TestSatellite
let supplies: EntropySupply[]
let lines: { level: string; text: string; [field: string]: unknown }[]

beforeEach(async () => {
  fresh = await freshDatabase()
  database = await createDataSource({ url: fresh.url }).initialize()
  satellite = await startSatellite()
  supplies = []
  lines = []
})
afterEach(async () => {
  await Promise.all(supplies.map((supply) => supply.stop()))
  await satellite.close()
  await database.destroy()
  await fresh.drop()
})

const line =
  (level: string) =>
  (fields: object | string, text = ''): void =>
    void lines.push({ ...(typeof fields === 'string' ? { text: fields } : { ...fields, text }), level } as never)
const log = { info: line('info'), warn: line('warn') } as unknown as EntropySupplyDeps['log']

function open(deps: Partial<EntropySupplyDeps> = {}): EntropySupply {
  const supply = createEntropySupply({
    database,
    sources: [createSimulatedSource({ url: satellite.url, timeoutMs: 5_000 })],
    trust: satellite.trust,
    log,
    ...deps,
    options: { target: 16, waitMs: 10_000, tickMs: 50, ...deps.options },
  })
  supplies.push(supply)
  return supply
}

const at = (): number => Math.floor(Date.now() / 1000)
const ready = async (supply: EntropySupply, level = 16): Promise<void> =>
  expect.poll(() => supply.snapshot().level, { timeout: 15_000, interval: 20 }).toBeGreaterThanOrEqual(level)

test('gives verified samples that were fetched ahead', async () => {
  const supply = open()
  supply.start()
  await ready(supply)
  const sample = await supply.take({ kind: 'sign', id: 'w/1' })
  await expect(verifyEntropySample(sample, satellite.trust, at())).resolves.toMatchObject({ provenance: 'simulated' })
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
    trust: { ...satellite.trust, freshnessSeconds: 25 },
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
  const rows: { value: string; retired: boolean }[] = await database.query(
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
    await expect(database.query(change, [value])).rejects.toMatchObject({ driverError: { code: '23514' } })
  }
})

test('an empty supply waits for the source, briefly', async () => {
  await satellite.tell({ mode: 'delay', delayMs: 200 })
  const supply = open()
  supply.start()
  await expect(supply.take({ kind: 'sign', id: 'a' })).resolves.toBeDefined()
})

test('an empty supply ends in entropy_unavailable with the seconds to wait', async () => {
  await satellite.tell({ mode: 'fail', status: 429, retryAfterSeconds: 7 })
  const supply = open({ options: { waitMs: 1_000 } })
  supply.start()
  const error = await supply.take({ kind: 'sign', id: 'a' }).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'entropy_unavailable', status: 503, retryable: true })
  const { retryAfterSeconds } = (error as { facts: { retryAfterSeconds: number } }).facts
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(4)
  expect(retryAfterSeconds).toBeLessThanOrEqual(7)
})

test.each(['value', 'signature', 'key', 'time'] as const)(
  'stores nothing of a source that lies about the %s',
  async (about) => {
    await satellite.tell({ mode: 'lie', about })
    const supply = open({ options: { waitMs: 1_000 } })
    supply.start()
    await expect(supply.take({ kind: 'sign', id: 'a' })).rejects.toMatchObject({ code: 'entropy_unavailable' })
    const { failures } = supply.snapshot().sources['simulated-satellite']!
    expect(Object.keys(failures)).toEqual([about === 'time' ? 'entropy_stale' : 'entropy_invalid'])
    expect(await database.query(`SELECT FROM entropy_samples`)).toHaveLength(0)
  },
)

test('refuses a repeated answer, and recovers when the source does', async () => {
  const supply = open({ options: { target: 4 } })
  supply.start()
  await supply.take({ kind: 'sign', id: '0' })
  await satellite.tell({ mode: 'repeat', requests: 1 })
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
  await satellite.close()
  satellite = await startSatellite(1000n)
  const supply = open({ options: { target: 8, waitMs: 500 } })
  supply.start()
  await ready(supply, 8)
  for (let i = 0; i < 8; i++) await supply.take({ kind: 'sign', id: String(i) })
  await satellite.tell({ mode: 'lie', about: 'sequence' })
  await expect
    .poll(
      async () => {
        await supply.take({ kind: 'sign', id: `more ${Math.random()}` }).catch(() => undefined)
        return supply.snapshot().sources['simulated-satellite']!.lastFailure
      },
      { timeout: 15_000 },
    )
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
  await satellite.tell({ mode: 'fail' })
  const supply = open({
    sources: [createSimulatedSource({ url: satellite.url }), renamed],
    trust: { ...satellite.trust, keys: { ...satellite.trust.keys, ...Object.fromEntries(backupKeys) } },
  })
  supply.start()
  expect((await supply.take({ kind: 'sign', id: 'a' })).source).toBe('backup')
  for (let i = 0; i < 60; i++) await supply.take({ kind: 'sign', id: `b${i}` })
  await expect.poll(() => supply.snapshot().sources['simulated-satellite']!.state).toBe('open')
  expect(lines).toContainEqual(expect.objectContaining({ text: 'entropy source changed state', state: 'open' }))
  await satellite.tell({ mode: 'normal' })
  await expect
    .poll(
      async () => {
        await supply.take({ kind: 'sign', id: `c${Math.random()}` })
        return supply.snapshot().sources['simulated-satellite']!.state
      },
      { timeout: 15_000 },
    )
    .toBe('closed')
  await second.close()
})

test('never steps below the minimum level, also for samples stored before it was raised', async () => {
  const lenient = open()
  lenient.start()
  await ready(lenient)
  await lenient.stop()
  const strict = open({ trust: { ...satellite.trust, minimum: 'beacon-verified' }, options: { waitMs: 1_000 } })
  strict.start()
  await expect(strict.take({ kind: 'sign', id: 'a' })).rejects.toMatchObject({ code: 'entropy_unavailable' })
  expect(strict.snapshot().sources['simulated-satellite']!.failures).toHaveProperty('entropy_untrusted')
})

test('publishes its state for readiness, and tells every change in the log', async () => {
  expect((await readEntropyState(database)).state).toBe('unknown')
  const supply = open({ options: { waitMs: 500 } })
  supply.start()
  await ready(supply)
  await expect.poll(async () => (await readEntropyState(database)).state).toBe('ready')
  const state = await readEntropyState(database)
  expect(state.snapshot).toMatchObject({
    state: 'ready',
    target: 16,
    sources: { 'simulated-satellite': { state: 'closed' } },
  })
  expect(lines).toContainEqual(expect.objectContaining({ text: 'entropy supply changed state', to: 'ready' }))
  await satellite.tell({ mode: 'fail' })
  for (let i = 0; supply.snapshot().unavailable === 0; i++) {
    await supply.take({ kind: 'sign', id: `${i}` }).catch(() => undefined)
  }
  await expect.poll(async () => (await readEntropyState(database)).state, { timeout: 15_000 }).toBe('empty')
  expect((await readEntropyState(database, 0)).state).toBe('unknown')
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
