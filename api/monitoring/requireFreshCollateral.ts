import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import { findStaleCollateral } from '../../database/index.js'

/** Throws `collateral_stale` while no worker can refresh a vendor's collateral. For readiness. */
export async function requireFreshCollateral(database: DataSource): Promise<void> {
  const stale = await findStaleCollateral(database)
  if (stale.length === 0) return
  const kinds = stale.map(({ kind, refreshedAt }) => `${kind} (last refreshed ${refreshedAt.toISOString()})`)
  throw new ServiceError('collateral_stale', `nothing is signed until this is refreshed: ${kinds.join(', ')}`)
}
