import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DataSource } from 'typeorm'
import { createDataSource } from '../../../database/index.js'
import type { Behaviour } from '../../../dev/satellite/index.js'
import { freshDatabase, type FreshDatabase } from '../../../tests/harness/index.js'
import { createEntropySupply, type EntropySupply, type EntropySupplyDeps } from './createEntropySupply.js'
import { createSimulatedSource } from '../simulated/createSimulatedSource.js'
import { startSatellite, type TestSatellite } from '../../../tests/rigs/servers/startSatellite.js'

const workerCount = 3
const purposeCount = 12

type Action =
  | { do: 'take'; worker: number; purpose: number }
  /** The worker's connections die in the middle of whatever it does, and a new worker takes its place. */
  | { do: 'crash'; worker: number }
  | { do: 'order'; order: Behaviour }

const worker = fc.nat({ max: workerCount - 1 })
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constant('take' as const), worker, purpose: fc.nat({ max: purposeCount - 1 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const), worker }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      order: fc.constantFrom<Behaviour>(
        { mode: 'normal' },
        { mode: 'repeat', requests: 2 },
        { mode: 'fail', requests: 1 },
        { mode: 'lie', about: 'value', requests: 1 },
      ),
    }),
  },
)

const log = { info: () => undefined, warn: () => undefined } as unknown as EntropySupplyDeps['log']
let fresh: FreshDatabase
let control: DataSource
let satellite: TestSatellite
let workers: { name: string; database: DataSource; supply: EntropySupply }[]
let born = 0

async function openWorker(): Promise<(typeof workers)[number]> {
  const name = `entropy-worker-${born++}`
  const url = new URL(fresh.url)
  url.searchParams.set('application_name', name)
  const database = await createDataSource({ url: url.href, poolSize: 4 }).initialize()
  const source = createSimulatedSource({ url: satellite.url })
  const supply = createEntropySupply({
    database,
    sources: [source],
    trust: satellite.trust,
    log,
    options: { target: 8, waitMs: 4_000, tickMs: 20, leaseSeconds: 1 },
  })
  supply.start()
  return { name, database, supply }
}

/** To the database this is a process that died: connections end between statements, or in them, commits unanswered. */
async function crash(index: number): Promise<void> {
  const next = await openWorker()
  const { name, database, supply } = workers[index]! // now: two crashes at once would leave one of the new workers running
  workers[index] = next
  await control.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1`, [name])
  await supply.stop().catch(() => undefined)
  await database.destroy().catch(() => undefined)
}

beforeAll(async () => {
  fresh = await freshDatabase()
  control = await createDataSource({ url: fresh.url }).initialize()
  satellite = await startSatellite()
  workers = await Promise.all(Array.from({ length: workerCount }, openWorker))
})
afterAll(async () => {
  for (const { supply, database } of workers) {
    await supply.stop()
    await database.destroy()
  }
  await satellite.close()
  await control.destroy()
  await fresh.drop()
})

test('under concurrent workers and crashes no sample serves two operations, and an operation keeps its sample', async () => {
  const purposesOf = new Map<string, Set<string>>()
  let run = 0
  let taken = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(action, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 }),
      async (batches) => {
        const scope = `run-${run++}`
        await satellite.tell({ mode: 'normal' })
        const valuesOf = new Map<string, Set<string>>()
        const perform = async (step: Action): Promise<void> => {
          if (step.do === 'crash') return crash(step.worker)
          if (step.do === 'order') return satellite.tell(step.order)
          const id = `${scope}/${step.purpose}`
          const sample = await workers[step.worker]!.supply.take({ kind: 'sign', id }).catch(() => null)
          if (sample === null) return // not acknowledged: the caller would try again
          taken += 1
          valuesOf.set(id, (valuesOf.get(id) ?? new Set()).add(sample.value))
          purposesOf.set(sample.value, (purposesOf.get(sample.value) ?? new Set()).add(id))
        }
        for (const batch of batches) await Promise.all(batch.map(perform))
        for (const values of valuesOf.values()) expect(values.size).toBe(1)
        for (const purposes of purposesOf.values()) expect(purposes.size).toBe(1)
      },
    ),
    { numRuns: 25, endOnFailure: true },
  )
  expect(taken).toBeGreaterThan(100) // otherwise nothing was shown
  const [{ lost }] = (await control.query(
    `SELECT count(*)::int AS lost FROM unnest($1::text[], $2::text[]) AS seen(value, purpose)
      WHERE NOT EXISTS (SELECT FROM entropy_samples s WHERE s.value = seen.value AND s.purpose = 'sign:' || seen.purpose)`,
    [[...purposesOf.keys()], [...purposesOf.values()].map((purposes) => [...purposes][0])],
  )) as [{ lost: number }]
  expect(lost).toBe(0)
})
