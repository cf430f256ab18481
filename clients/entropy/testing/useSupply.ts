import { afterEach, beforeEach, expect } from 'vitest'
import type { DataSource } from 'typeorm'
import { openFresh } from '../../../tests/harness/index.js'
import { createEntropySupply, type EntropySupply, type EntropySupplyDeps } from '../supply/createEntropySupply.js'
import { createSimulatedSource } from '../simulated/createSimulatedSource.js'
import { startSatellite, type TestSatellite } from '../../../tests/rigs/servers/startSatellite.js'

interface SupplyRig {
  database: DataSource
  satellite: TestSatellite
  /** What the supplies logged. */
  lines: { level: string; text: string; [field: string]: unknown }[]
}

/** A database, a satellite and a log for each test. */
export function useSupply() {
  const rig = {} as SupplyRig
  let fresh: Awaited<ReturnType<typeof openFresh>>
  let supplies: EntropySupply[] = []
  beforeEach(async () => {
    fresh = await openFresh()
    rig.database = fresh.database
    rig.satellite = await startSatellite()
    rig.lines = []
    supplies = []
  })
  afterEach(async () => {
    await Promise.all(supplies.map((supply) => supply.stop()))
    await rig.satellite.close()
    await fresh.close()
  })

  const line =
    (level: string) =>
    (fields: object | string, text = ''): void =>
      void rig.lines.push({ ...(typeof fields === 'string' ? { text: fields } : { ...fields, text }), level } as never)
  const log = { info: line('info'), warn: line('warn') } as unknown as EntropySupplyDeps['log']

  function open(deps: Partial<EntropySupplyDeps> = {}): EntropySupply {
    const supply = createEntropySupply({
      database: rig.database,
      sources: [createSimulatedSource({ url: rig.satellite.url, timeoutMs: 5_000 })],
      trust: rig.satellite.trust,
      log,
      ...deps,
      options: { target: 16, waitMs: 10_000, tickMs: 50, ...deps.options },
    })
    supplies.push(supply)
    return supply
  }

  const ready = async (supply: EntropySupply, level = 16): Promise<void> =>
    expect.poll(() => supply.snapshot().level, { timeout: 15_000, interval: 20 }).toBeGreaterThanOrEqual(level)

  return Object.assign(rig, { open, ready })
}
