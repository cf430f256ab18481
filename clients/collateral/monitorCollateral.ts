import type { MetricMeter } from '@temporalio/common'
import type { Logger } from 'pino'
import type { DataSource } from 'typeorm'
import { writeCollateralState } from '../../database/index.js'
import { repeatEvery } from '../concurrency/repeatEvery.js'
import type { CollateralSupply } from './createCollateralSupply.js'

interface MonitorInput {
  /** By kind: `intel-collateral`, `amd-crl`. */
  supplies: Record<string, Pick<CollateralSupply, 'keepFresh' | 'freshness'>>
  database: DataSource
  meter: MetricMeter
  log: Logger
}

const everyMs = 15_000

/** Refreshes collateral that is due even when nothing is signed, and tells metrics and the API how old it is. */
export function monitorCollateral({ supplies, database, meter, log }: MonitorInput) {
  const age = meter.createGauge('perigee_collateral_age', 'int', 's', 'Since collateral was last refreshed, by kind')
  const left = meter.createGauge('perigee_collateral_left', 'int', 's', 'Until signing stops for stale collateral')

  async function update(): Promise<void> {
    for (const [kind, supply] of Object.entries(supplies)) {
      await supply.keepFresh()
      const state = supply.freshness()
      if (!state) continue
      const now = Math.floor(Date.now() / 1000)
      age.set(Math.max(0, now - state.refreshedAt), { kind })
      left.set(Math.max(0, state.staleAt - now), { kind })
      await writeCollateralState(database, kind, state)
    }
  }

  return repeatEvery(everyMs, update, (error) => log.debug({ err: error }, 'collateral was not reported'))
}
